//! Starting an engine as a child process: command line, folder, environment. How its pipes are served is `unix`'s
//! business, or that of `pipes` elsewhere. An engine command is an argument list, never shell text.

use super::transport::Transport;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol, versions 1 and 2.
    Xboard,
}

impl Protocol {
    pub const ALL: [Protocol; 2] = [Protocol::Uci, Protocol::Xboard];

    /// `uci` or `xboard`.
    pub const fn id(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Xboard => "xboard",
        }
    }

    pub fn from_id(id: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.id() == id)
    }
}

/// How to start a foreign engine, and what to tell it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CommandSpec {
    /// The engine's name in messages and records.
    pub name: String,
    /// Path, or a bare name to be looked up in PATH.
    pub path: PathBuf,
    pub args: Vec<String>,
    pub protocol: Protocol,
    /// Working folder; ours if none.
    pub dir: Option<PathBuf>,
    pub env: Vec<(String, String)>,
    /// Engine options by name, checked against the engine's own list, sent in this order.
    pub options: Vec<(String, String)>,
}

impl CommandSpec {
    /// A command without arguments, named after its file.
    pub fn new(path: impl Into<PathBuf>) -> CommandSpec {
        let path = path.into();
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        CommandSpec { name, path, ..CommandSpec::default() }
    }

    /// The file to run. A relative path with a folder in it is meant from our folder, or else from the engine's.
    fn program(&self) -> PathBuf {
        if self.path.is_absolute() || self.path.components().count() < 2 {
            return self.path.clone();
        }
        let from_dir = self
            .dir
            .as_ref()
            .map(|dir| dir.join(&self.path))
            .filter(|path| path.exists() && !self.path.exists());
        let program = from_dir.unwrap_or_else(|| self.path.clone());
        std::path::absolute(&program).unwrap_or(program)
    }

    /// The command with pipes on all three streams and PATH = its folder, then the inherited PATH: wrapper scripts
    /// call their engine by name.
    pub(super) fn command(&self) -> Command {
        let program = self.program();
        let mut command = Command::new(&program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(path) = path_with(program.parent(), env::var_os("PATH")) {
            command.env("PATH", path);
        }
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }
}

/// PATH with a folder in front; `None` if there is nothing to add.
fn path_with(folder: Option<&Path>, inherited: Option<OsString>) -> Option<OsString> {
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty())?;
    let inherited = inherited.unwrap_or_default();
    env::join_paths(std::iter::once(folder.to_path_buf()).chain(env::split_paths(&inherited))).ok()
}

/// Starts the engine. The error is the system's: no such file, permission denied, …
pub fn start(spec: &CommandSpec) -> io::Result<Box<dyn Transport>> {
    #[cfg(unix)]
    return Ok(Box::new(super::unix::PolledProcess::start(spec)?));
    #[cfg(not(unix))]
    return Ok(Box::new(super::pipes::ThreadedProcess::start(spec)?));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_of_the_child() {
        assert_eq!(
            path_with(Some(Path::new("/opt/e")), Some("/bin:/usr/bin".into())),
            Some("/opt/e:/bin:/usr/bin".into())
        );
        assert_eq!(path_with(Some(Path::new("")), Some("/bin".into())), None);
        assert_eq!(path_with(None, Some("/bin".into())), None);
    }

    #[test]
    fn names_and_relative_paths() {
        assert_eq!(CommandSpec::new("/usr/games/stockfish").name, "stockfish");
        assert_eq!(CommandSpec::new("stockfish").program(), Path::new("stockfish"));
        assert!(CommandSpec::new("./engines/x").program().is_absolute());
    }
}
