//! parser_cases
