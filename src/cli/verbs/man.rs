//! `gauntlet man`: manual pages, made of the same texts as the help.

use crate::cli::Job;
use crate::cli::args;
use crate::cli::config::nearest;
use crate::cli::exit::{Exit, Failure};
use clap::Args;
use clap_mangen::Man as Manual;
use std::path::Path;

#[derive(Args, Clone, Debug)]
pub struct Man {
    /// The verb whose page it is (`stats elo`: one word after the other); none: that of the program. With `--out DIR` all pages
    /// are written there
    #[arg(value_name = "VERB")]
    pub page: Vec<String>,
}

pub fn run(settings: &Man, job: &Job) -> Result<Exit, Failure> {
    if let Some(folder) = job.common.out.as_deref() {
        if !settings.page.is_empty() {
            return Err(Failure::usage("man: --out writes all pages; leave out the verb"));
        }
        let failed = |error| Failure::unreadable(folder, &error);
        std::fs::create_dir_all(folder).map_err(failed)?;
        clap_mangen::generate_to(args::command(), Path::new(folder)).map_err(failed)?;
        return Ok(Exit::Ok);
    }
    let mut command = args::command();
    // So that pages have the flags that all verbs have, and their full names.
    command.build();
    for name in &settings.page {
        let Some(verb) = command.find_subcommand(name) else {
            let known: Vec<String> =
                command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
            let hint =
                nearest(name, &known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(Failure::usage(format!("man: there is no verb `{name}`{hint}")));
        };
        command = verb.clone();
    }
    let mut page = Vec::new();
    Manual::new(command).render(&mut page)?;
    job.output.whole(&page)?;
    Ok(Exit::Ok)
}
