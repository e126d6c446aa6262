//! PGN bytes to tokens, one at a time and with line numbers. Knows nothing about chess.
//!
//! Every token has a largest size, so that no input can make the reader hold more than a fixed amount: words are cut
//! (they are then no moves), comments too (marked as cut).

use super::tag::{self, ParsedTag};
use crate::notation::text::{decode, decode_owned};
use std::io::{self, BufRead};

const LONGEST_WORD: usize = 255;
const LONGEST_TAG_LINE: usize = 1 << 16;
const LONGEST_COMMENT: usize = 1 << 20;
/// A word, a comment or a gap beyond this is none, and may have no end at all.
const LONGEST_RUN: usize = 64 << 20;

#[derive(Debug)]
pub(super) enum Token {
    Tag(ParsedTag),
    /// `[` that begins no tag. The name is there if at least that could be read.
    BadTag {
        name: Option<String>,
        text: String,
    },
    Comment {
        text: String,
        cut: bool,
    },
    UnclosedComment,
    /// Move, move number, result, mark: whatever stands between blanks and brackets.
    Word(String),
    /// `$` and its number, if there is one up to 255.
    Nag(Option<u8>),
    OpenVariation,
    CloseVariation,
    /// A character that has no place here.
    Stray(char),
    /// The input begins like UTF-16.
    WrongEncoding,
    End,
}

#[derive(Debug)]
pub(super) struct Lexer<R> {
    source: R,
    /// Rest of a line that was read ahead to find the end of a tag; `ahead[ahead_at..]` comes before `source`.
    ahead: Vec<u8>,
    ahead_at: usize,
    line: usize,
    at_line_start: bool,
    at_start: bool,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(source: R) -> Lexer<R> {
        Lexer { source, ahead: Vec::new(), ahead_at: 0, line: 1, at_line_start: true, at_start: true }
    }

    /// The next token and the line on which it begins.
    pub(super) fn next(&mut self) -> io::Result<(Token, usize)> {
        if self.at_start {
            self.at_start = false;
            if self.peek()? == Some(0xef) {
                self.skip_byte_order_mark()?;
            } else if matches!(self.peek()?, Some(0xfe | 0xff)) {
                return Ok((Token::WrongEncoding, 1));
            }
        }
        loop {
            let at_line_start = self.at_line_start;
            let line = self.line;
            let Some(byte) = self.peek()? else { return Ok((Token::End, line)) };
            if byte == b'%' && at_line_start {
                self.skip_line()?;
                continue;
            }
            let token = match byte {
                b'[' => {
                    self.read()?;
                    self.tag()?
                }
                b'{' => {
                    self.read()?;
                    self.brace_comment()?
                }
                b';' => {
                    self.read()?;
                    self.line_comment()?
                }
                b'(' => {
                    self.read()?;
                    Token::OpenVariation
                }
                b')' => {
                    self.read()?;
                    Token::CloseVariation
                }
                b'$' => {
                    self.read()?;
                    Token::Nag(self.word()?.parse().ok())
                }
                b']' | b'}' | b'"' => {
                    self.read()?;
                    Token::Stray(byte as char)
                }
                _ if is_blank(byte) => {
                    self.take(&mut Vec::new(), 0, |byte| !is_blank(byte))?;
                    continue;
                }
                _ => Token::Word(self.word()?),
            };
            return Ok((token, line));
        }
    }

    /// The next byte without taking it; every kind of line end looks like `\n`.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        if let Some(&byte) = self.ahead.get(self.ahead_at) {
            return Ok(Some(byte));
        }
        Ok(self.source_byte()?.map(|byte| if byte == b'\r' { b'\n' } else { byte }))
    }

    /// The next byte of the source as it is, without taking it.
    fn source_byte(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.source.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the next byte.
    fn read(&mut self) -> io::Result<Option<u8>> {
        let Some(byte) = self.peek()? else { return Ok(None) };
        self.at_line_start = byte == b'\n';
        if self.ahead_at < self.ahead.len() {
            self.ahead_at += 1;
            return Ok(Some(byte));
        }
        let is_return = self.source_byte()? == Some(b'\r');
        self.source.consume(1);
        if is_return && self.source_byte()? == Some(b'\n') {
            self.source.consume(1);
        }
        self.line += usize::from(byte == b'\n');
        Ok(Some(byte))
    }

    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        for byte in [0xef, 0xbb, 0xbf] {
            if self.peek()? == Some(byte) {
                self.read()?;
            }
        }
        self.at_line_start = true;
        Ok(())
    }

    /// Takes bytes up to one that ends the run (which stays), or to the end of the input. Of the bytes taken `kept` get at
    /// most `most`; whether there were more is the answer. Goes through whole buffers: this is where the bytes of a large
    /// file pass.
    fn take(&mut self, kept: &mut Vec<u8>, most: usize, ends: impl Fn(u8) -> bool) -> io::Result<bool> {
        let mut cut = false;
        let mut keep = |bytes: &[u8]| {
            let room = most.saturating_sub(kept.len()).min(bytes.len());
            kept.extend_from_slice(&bytes[..room]);
            cut |= room < bytes.len();
        };
        // What was read ahead is part of one line.
        let ahead = &self.ahead[self.ahead_at..];
        if !ahead.is_empty() {
            let length = ahead.iter().position(|&byte| ends(byte)).unwrap_or(ahead.len());
            keep(&ahead[..length]);
            self.ahead_at += length;
            self.at_line_start &= length == 0;
            if self.ahead_at < self.ahead.len() {
                return Ok(cut);
            }
        }
        let mut passed = 0;
        loop {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let length = buffer.iter().position(|&byte| ends(byte) || byte == b'\r').unwrap_or(buffer.len());
            let taken = &buffer[..length];
            keep(taken);
            self.line += taken.iter().filter(|&&byte| byte == b'\n').count();
            if let Some(&last) = taken.last() {
                self.at_line_start = last == b'\n';
            }
            let is_end = buffer.is_empty();
            let next = buffer.get(length).copied();
            self.source.consume(length);
            passed += length + 1;
            if passed > LONGEST_RUN {
                let what = format!(
                    "line {}: a word, a comment or a gap of more than {} MiB",
                    self.line,
                    LONGEST_RUN >> 20
                );
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
            }
            match next {
                // Every kind of line end is `\n`.
                Some(b'\r') if !ends(b'\n') => {
                    self.read()?;
                    keep(b"\n");
                }
                Some(_) => return Ok(cut),
                None if is_end => return Ok(cut),
                None => {}
            }
        }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        self.take(&mut Vec::new(), 0, |byte| byte == b'\n')?;
        Ok(())
    }

    fn word(&mut self) -> io::Result<String> {
        let mut word = Vec::with_capacity(8);
        self.take(&mut word, LONGEST_WORD, |byte| {
            is_blank(byte) || matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'"' | b'$')
        })?;
        Ok(decode_owned(word))
    }

    fn brace_comment(&mut self) -> io::Result<Token> {
        let mut text = Vec::new();
        let cut = self.take(&mut text, LONGEST_COMMENT, |byte| byte == b'}')?;
        if self.read()?.is_none() {
            return Ok(Token::UnclosedComment);
        }
        for byte in text.iter_mut().filter(|byte| **byte == b'\n') {
            *byte = b' ';
        }
        Ok(Token::Comment { text: comment_text(text), cut })
    }

    fn line_comment(&mut self) -> io::Result<Token> {
        let mut text = Vec::new();
        let cut = self.take(&mut text, LONGEST_COMMENT, |byte| byte == b'\n')?;
        Ok(Token::Comment { text: comment_text(text), cut })
    }

    /// After `[`. What follows the tag on its line stays to be read; a line that holds no tag is dropped whole.
    fn tag(&mut self) -> io::Result<Token> {
        if self.ahead_at == self.ahead.len() {
            self.ahead.clear();
            self.ahead_at = 0;
            // Bytes go straight into a local buffer: `peek` would look at `ahead` first.
            let mut line = Vec::new();
            // Nearly always the whole line is in the buffer; the loop below takes what is not.
            let buffer = self.source.fill_buf().unwrap_or_default();
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            if let Some(length) = buffer.iter().take(LONGEST_TAG_LINE).position(is_end) {
                line.extend_from_slice(&buffer[..length]);
                self.source.consume(length);
            }
            while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n' && line.len() < LONGEST_TAG_LINE)
            {
                line.push(byte);
                self.read()?;
            }
            self.ahead = line;
        }
        let rest = &self.ahead[self.ahead_at..];
        match tag::parse(rest) {
            Ok((tag, length)) => {
                self.ahead_at += length;
                Ok(Token::Tag(tag))
            }
            Err(name) => {
                let text = decode(&rest[..rest.len().min(LONGEST_WORD)]);
                self.ahead_at = self.ahead.len();
                Ok(Token::BadTag { name, text })
            }
        }
    }
}

/// NUL and Ctrl-Z too: old programs pad or end files with them.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b | 0x1a)
}

fn comment_text(bytes: Vec<u8>) -> String {
    let text = decode_owned(bytes);
    let trimmed = text.trim();
    if trimmed.len() == text.len() { text } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(input: &[u8]) -> Vec<(String, usize)> {
        let mut lexer = Lexer::new(input);
        let mut words = Vec::new();
        loop {
            match lexer.next().unwrap() {
                (Token::End, _) => return words,
                (token, line) => words.push((format!("{token:?}"), line)),
            }
        }
    }

    #[test]
    fn every_line_end_counts_once() {
        let expected = [("Word(\"a\")", 1), ("Word(\"b\")", 2), ("Word(\"c\")", 4)];
        for input in [&b"a\nb\n\nc"[..], b"a\r\nb\r\n\r\nc", b"a\rb\r\rc"] {
            let found = words(input);
            assert_eq!(found.iter().map(|(word, line)| (word.as_str(), *line)).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn escape_lines_begin_in_the_first_column_only() {
        assert_eq!(words(b"% x\na %b\n").len(), 2);
    }
}
