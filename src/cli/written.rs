//! The files that a run leaves because the user named them, beside its folder: opened before anything is measured, none of them
//! twice, none of them a file that is read.

use super::exit::Failure;
use crate::file::{self, Claim, Out};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file that is open, and what it is for.
pub type Opened<T> = (PathBuf, Out, T);

/// Opens all that are wanted now, not after all that is measured: it may not be possible.
pub fn open<T>(wanted: Vec<(Option<&Path>, T)>) -> Result<Vec<Opened<T>>, Failure> {
    let open = |(path, what): (Option<&Path>, T)| {
        let path = path?.to_owned();
        let opened = file::create(&path).map_err(|error| Failure::unreadable(path.display(), &error));
        Some(opened.map(|file| (path, file, what)))
    };
    wanted.into_iter().filter_map(open).collect()
}

/// Puts a text in the place of a file, or of the one that a link leads to: it is the old one or the new one, whatever happens.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let [target, beside] = places(path)?;
    let written = fs::File::create_new(&beside).and_then(|mut file| {
        let done = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&beside, &target));
        done.inspect_err(|_| drop(fs::remove_file(&beside)))
    });
    written.map_err(|error| Failure::unreadable(path.display(), &error))
}

/// Now, not after all that is measured: a file that cannot be replaced. It is for nobody else to write.
pub fn try_replace(path: &Path) -> Result<Claim, Failure> {
    let [_, beside] = places(path)?;
    let tried = fs::File::create_new(&beside).and_then(|_| fs::remove_file(&beside));
    tried.and_then(|()| file::claim(path)).map_err(|error| Failure::unreadable(path.display(), &error))
}

/// What is to be replaced, and where it is written before that.
fn places(path: &Path) -> Result<[PathBuf; 2], Failure> {
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(Failure::unreadable(path.display(), &error)),
    };
    if target.is_dir() {
        return Err(Failure::usage(format!("{}: is a folder, not a file", path.display())));
    }
    if target.exists() && !target.is_file() {
        return Err(Failure::usage(format!("{}: not a file that can be replaced", path.display())));
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = target.with_file_name(format!(".{name}.{}", std::process::id()));
    Ok([target, beside])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let left = || fs::read_dir(folder.path()).unwrap().count();
        replace(&at("a.json"), "one").unwrap();
        fs::write(at("a.new"), "precious").unwrap();
        replace(&at("a.json"), "two").unwrap();
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();
        assert_eq!((read("a.json").as_str(), read("a.new").as_str(), left()), ("two", "precious", 2));
        assert!(replace(&at("none/a.json"), "").is_err());
        fs::create_dir(at("folder")).unwrap();
        assert!(replace(&at("folder"), "").unwrap_err().message.contains("not a file"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a.json"), at("link")).unwrap();
            replace(&at("link"), "three").unwrap();
            assert_eq!(read("a.json"), "three");
            assert!(at("link").is_symlink());
            // Neither file nor folder, as devices are.
            let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
            assert!(replace(&at("socket"), "").unwrap_err().message.contains("not a file"));
        }
    }
}
