//! A browser to test the site in: Chromium without a window, driven through its WebDriver server.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use thirtyfour::cdp::domains::emulation::{MediaFeature, SetEmulatedMedia};
use thirtyfour::common::log::LoggingPrefsLogLevel;
use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, WebDriver};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::environment;

/// Long enough for a slow machine under load. No test takes this long unless it fails.
const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(20);

const SWITCHES: [&str; 7] = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// The colours that a reader asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColorScheme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// A browser of its own: nothing is shared with another test, and all of it ends when dropped.
pub struct Browser {
    driver: WebDriver,
    // Behind the driver, so that they go in this order: the server takes the browser with it, then nothing uses the profile.
    _chromedriver: Chromedriver,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser with an empty profile.
    ///
    /// # Errors
    /// When the browser or its WebDriver server does not start.
    pub async fn start() -> Result<Browser> {
        let chromedriver = Chromedriver::start().await?;
        let profile = tempfile::tempdir().context("cannot make a folder for the profile")?;

        let mut capabilities = DesiredCapabilities::chrome();
        capabilities.set_binary(&environment::chromium()?.to_string_lossy())?;
        capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
        for switch in SWITCHES {
            capabilities.add_arg(switch)?;
        }
        capabilities.add_arg(&format!("--user-data-dir={}", profile.path().display()))?;
        if is_root().await {
            // Chromium refuses to start as root with its sandbox.
            capabilities.add_arg("--no-sandbox")?;
        }
        let driver = WebDriver::new(format!("http://{}", chromedriver.address), capabilities)
            .await
            .context("Chromium does not start")?;
        // Else the session would be closed by a request that waits for this very thread. Its server closes it instead.
        driver.clone().leak()?;
        Ok(Browser { driver, _chromedriver: chromedriver, _profile: profile })
    }

    /// The session, for what this type does not cover.
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// Opens an address and returns when the page and what it names have been loaded.
    ///
    /// # Errors
    /// When the browser cannot reach it.
    pub async fn open(&self, url: &str) -> Result<()> {
        self.driver.goto(url).await.with_context(|| format!("cannot open {url}"))
    }

    /// Makes the page exactly this large, in CSS pixels. A window cannot be made narrower than its
    /// own frame, so this sets the metrics of the device.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn set_size(&self, width: u32, height: u32) -> Result<()> {
        let cdp = self.driver.cdp();
        cdp.emulation().set_device_metrics_override(width, height, 1.0, false).await?;
        Ok(())
    }

    /// Asks for light or dark colours, as a reader does in the system's settings.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn set_color_scheme(&self, scheme: ColorScheme) -> Result<()> {
        let value = match scheme {
            ColorScheme::Light => "light",
            ColorScheme::Dark => "dark",
        };
        let feature = MediaFeature { name: "prefers-color-scheme".into(), value: value.into() };
        let media = SetEmulatedMedia { media: None, features: Some(vec![feature]) };
        self.driver.cdp().send(media).await?;
        Ok(())
    }

    /// The value of a JavaScript expression.
    ///
    /// # Errors
    /// When the expression throws, or its value is of another type.
    pub async fn eval<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let value = self.driver.execute(format!("return {expression};"), Vec::new()).await;
        let value = value.with_context(|| format!("in `{expression}`"))?;
        value.convert().with_context(|| format!("the value of `{expression}`"))
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// # Errors
    /// When it throws, or is not true in the end; the error then says what the console says.
    pub async fn wait_until(&self, expression: &str) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !self.eval::<bool>(expression).await? {
            if Instant::now() > deadline {
                let console = self.console_problems().await?.join("\n");
                bail!("`{expression}` did not come true in {PATIENCE:?}. The console: {console}");
            }
            sleep(POLL).await;
        }
        Ok(())
    }

    /// The warnings and errors on the browser's console since the last call, uncaught exceptions
    /// and files that were not found among them.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn console_problems(&self) -> Result<Vec<String>> {
        let entries = self.driver.browser_log().await?;
        let problems = entries.into_iter().filter(|entry| is_problem(&entry.level));
        Ok(problems.map(|entry| format!("{}: {}", entry.level, entry.message)).collect())
    }

    /// Keeps a picture of what is seen, for a person to look at.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub async fn screenshot(&self, name: &str) -> Result<()> {
        let folder = environment::artefacts()?;
        std::fs::create_dir_all(&folder)?;
        self.driver.screenshot(&folder.join(format!("{name}.png"))).await?;
        Ok(())
    }
}

fn is_problem(level: &str) -> bool {
    matches!(level, "SEVERE" | "WARNING")
}

async fn is_root() -> bool {
    Command::new("id").arg("-u").output().await.is_ok_and(|id| id.stdout == b"0\n")
}

/// A running WebDriver server, stopped when dropped.
struct Chromedriver {
    address: SocketAddr,
    process: Child,
    /// Held open, since the server would stop at a write that nobody can read.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Chromedriver {
    async fn start() -> Result<Chromedriver> {
        let program = environment::chromedriver()?;
        let mut process = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut output = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let port = timeout(PATIENCE, Chromedriver::port(&mut output))
            .await
            .with_context(|| format!("{} did not say its port in {PATIENCE:?}", program.display()))?
            .with_context(|| format!("{} did not start", program.display()))?;
        Ok(Chromedriver { address: (Ipv4Addr::LOCALHOST, port).into(), process, _output: output })
    }

    /// The free port that the server chose, from what it prints at its start.
    async fn port(output: &mut Lines<BufReader<ChildStdout>>) -> Result<u16> {
        while let Some(line) = output.next_line().await? {
            if let Some((_, port)) = line.rsplit_once("started successfully on port ") {
                return Ok(port.trim_end_matches('.').parse()?);
            }
        }
        bail!("it ended before it listened")
    }

    /// Asks the server to close its browser and end; killed, it would leave the browser running.
    fn shut_down(&mut self) -> io::Result<()> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "GET /shutdown HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address)?;
        stream.read_to_end(&mut Vec::new())?;
        let deadline = Instant::now() + PATIENCE;
        while self.process.try_wait()?.is_none() {
            if Instant::now() > deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(POLL);
        }
        Ok(())
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        if let Err(error) = self.shut_down() {
            eprintln!("chromedriver did not shut down: {error}");
        }
    }
}
