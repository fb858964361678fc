//! A PostgreSQL server of a test's own.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The account as which the server runs where the tests are run as root, which it refuses.
const NOBODY: u32 = 65_534;

/// A server in a temporary folder, reached by a socket in it; it is stopped when this is dropped.
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    server: Option<Child>,
}

impl Postgres {
    /// Makes a new server and starts it.
    ///
    /// # Panics
    ///
    /// If PostgreSQL's programs are not installed: nothing is skipped silently.
    #[must_use]
    pub fn start() -> Self {
        let programs = programs().expect(
            "these tests need PostgreSQL's initdb: install your system's package, on Debian \
             postgresql",
        );
        let folder = tempfile::tempdir().expect("a folder");
        if is_root() {
            let owned = std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY));
            owned.expect("root may give a folder away");
        }
        let mut server = Self {
            folder,
            programs,
            server: None,
        };
        let made = server
            .command("initdb")
            .args(["--username=postgres", "--auth=trust", "--no-sync"])
            .args(["--encoding=UTF8", "--locale=C.UTF-8", "--pgdata"])
            .arg(server.data())
            .stdout(Stdio::null())
            .status();
        assert!(made.expect("initdb runs").success());
        server.resume();
        server
    }

    /// Starts it again after [`stop`](Self::stop), and waits until it answers.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn resume(&mut self) {
        let mut server = self
            .command("postgres")
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-c", "listen_addresses=", "-c", "fsync=off"])
            .args(["-c", "max_connections=60", "-c", "lc_messages=C"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("postgres runs");
        let told = server.stderr.take().expect("it was asked for");
        let mut lines = BufReader::new(told).lines().map_while(Result::ok);
        let is_ready = |line: &String| line.contains("database system is ready to accept");
        assert!(lines.any(|line| is_ready(&line)), "the server has started");
        // It must not wait for somebody who reads what else it tells.
        std::thread::spawn(move || lines.for_each(drop));
        self.server = Some(server);
    }

    /// Stops it at once, with all connections.
    ///
    /// # Panics
    ///
    /// If it does not stop.
    pub fn stop(&mut self) {
        let Some(mut server) = self.server.take() else {
            return;
        };
        let stopped = self
            .command("pg_ctl")
            .args(["stop", "--mode=immediate", "--silent", "--pgdata"])
            .arg(self.data())
            .status();
        assert!(stopped.expect("pg_ctl runs").success());
        server.wait().expect("it was started here");
    }

    /// Makes a database, and returns its URL.
    ///
    /// # Panics
    ///
    /// If it cannot be made.
    #[must_use]
    pub fn database(&self, name: &str) -> String {
        let made = self
            .command("createdb")
            .args(["--username=postgres", "--host"])
            .arg(self.folder.path())
            .arg(name)
            .status();
        assert!(made.expect("createdb runs").success());
        format!(
            "postgres:///{name}?user=postgres&host={}",
            self.folder.path().display()
        )
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of PostgreSQL's programs, not as root.
    fn command(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = match is_root() {
            false => Command::new(program),
            true => {
                let mut command = Command::new("setpriv");
                command
                    .args(["--reuid", &NOBODY.to_string(), "--regid"])
                    .args([&NOBODY.to_string(), "--clear-groups", "--"])
                    .arg(program);
                command
            }
        };
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        } else if let Some(mut server) = self.server.take() {
            // Where this fails, too, there is nothing more to do.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

fn is_root() -> bool {
    let own = std::fs::metadata("/proc/self");
    own.is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

/// The folder of PostgreSQL's programs: of the newest version by Debian's packages, else that of the
/// `initdb` which is found by its name.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let of_debian = versions
        .flatten()
        .filter_map(|version| {
            let number: u32 = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .filter(|(_, folder)| folder.join("initdb").exists())
        .max_by_key(|(number, _)| *number);
    if let Some((_, folder)) = of_debian {
        return Some(folder);
    }
    let path = std::env::var_os("PATH")?;
    let initdb = std::env::split_paths(&path).map(|folder| folder.join("initdb"));
    let found = initdb.into_iter().find(|program| program.exists())?;
    // It finds the others beside itself, so links are followed.
    let found = std::fs::canonicalize(found).ok()?;
    found.parent().map(Path::to_path_buf)
}
