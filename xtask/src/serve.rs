//! `cargo xtask serve`: the site on this machine, for a look at it.

use std::env;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{dist, http};

/// Builds the site and serves it until the program is stopped.
pub fn run(workspace: &Workspace, port: u16, open: bool) -> Result<()> {
    // Before the build, so that a busy port is known at once.
    let listener = listen(port)?;
    dist::build(workspace)?;
    let address = format!("http://{}/", listener.local_addr()?);
    println!("\nFencepost is at {address} (Ctrl+C stops it)");
    if open {
        open_browser(&address);
    }
    http::serve(&listener, &workspace.dist())
}

fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow::anyhow!("port {port} is in use: choose another with --port N")
        }
        _ => anyhow::Error::new(error).context(format!("cannot listen on port {port}")),
    })
}

/// Opens the address where there is a browser and a screen; where there is none, the printed address has to do.
fn open_browser(address: &str) {
    let mut command = match env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut command = Command::new("cmd");
            // `start` takes its first quoted word for a window's title.
            command.args(["/C", "start", ""]);
            command
        }
        // Without a screen, xdg-open may take over the terminal with a text browser.
        _ if env::var_os("DISPLAY").is_none() && env::var_os("WAYLAND_DISPLAY").is_none() => return,
        _ => Command::new("xdg-open"),
    };
    let opened = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if opened.is_err() {
        println!("No browser could be opened from here");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_port_is_named() {
        let first = listen(0).unwrap();
        let port = first.local_addr().unwrap().port();
        let error = listen(port).unwrap_err();
        assert_eq!(error.to_string(), format!("port {port} is in use: choose another with --port N"));
    }
}
