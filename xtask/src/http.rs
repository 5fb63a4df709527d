//! A server of static files for one visitor on this machine: GET and HEAD, one request a connection.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Result;

const HEAD_LIMIT: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;

/// How long a connection may stand idle. Browsers open some in advance and never use them.
const IDLE: Duration = Duration::from_secs(30);

/// Serves `root` for ever.
pub fn serve(listener: &TcpListener, root: &Path) -> Result<()> {
    loop {
        let (stream, _) = listener.accept()?;
        let root = root.to_owned();
        thread::spawn(move || {
            // What fails here is that the visitor went away: there is nobody left to tell.
            let _ = converse(stream, &root);
        });
    }
}

#[derive(Debug, PartialEq)]
struct Request {
    method: String,
    path: String,
}

#[derive(Debug, PartialEq)]
struct Answer {
    status: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn refusal(status: &'static str) -> Answer {
        Answer {
            status,
            content_type: content_type(Path::new("refusal.txt")),
            body: format!("{status}\n").into_bytes(),
        }
    }
}

fn converse(mut stream: TcpStream, root: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    let (answer, with_body) = match read_request(&mut stream)? {
        Some(request) => (answer(root, &request), request.method != "HEAD"),
        None => (Answer::refusal("400 Bad Request"), true),
    };
    let Answer { status, content_type, body } = &answer;
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
         Cache-Control: no-cache\r\nConnection: close\r\n\r\n"
    )?;
    if with_body {
        stream.write_all(body)?;
    }
    stream.flush()
}

/// Reads up to the end of the headers; nothing if what came is no request.
fn read_request(stream: &mut impl Read) -> io::Result<Option<Request>> {
    let mut head = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let length = stream.read(&mut chunk)?;
        head.extend_from_slice(&chunk[..length]);
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&head) {
            Ok(httparse::Status::Complete(_)) => {
                let words = request.method.zip(request.path);
                return Ok(words.map(|(method, path)| Request { method: method.to_owned(), path: path.to_owned() }));
            }
            Ok(httparse::Status::Partial) if length > 0 && head.len() < HEAD_LIMIT => {}
            _ => return Ok(None),
        }
    }
}

fn answer(root: &Path, request: &Request) -> Answer {
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return Answer::refusal("405 Method Not Allowed");
    }
    let Some(file) = resolve(root, &request.path) else {
        return Answer::refusal("404 Not Found");
    };
    match fs::read(&file) {
        Ok(body) => Answer { status: "200 OK", content_type: content_type(&file), body },
        Err(_) => Answer::refusal("404 Not Found"),
    }
}

/// The file under `root` that a request's path names; nothing if the path could lead elsewhere.
///
/// Percent signs are not decoded: no file of the site needs them, and what is not decoded hides nothing.
fn resolve(root: &Path, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
    let (folders, file) = path.rsplit_once('/').map_or((None, path), |(folders, file)| (Some(folders), file));
    let file = if file.is_empty() { "index.html" } else { file };
    let names = folders.into_iter().flat_map(|folders| folders.split('/')).chain([file]);
    let mut resolved = root.to_owned();
    for name in names {
        if name.is_empty() || name.starts_with('.') || name.contains(['\\', ':', '\0']) {
            return None;
        }
        resolved.push(name);
    }
    Some(resolved)
}

/// The type to send a file with. Browsers refuse scripts and compile wasm slowly if it is wrong.
fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "fence" | "jsonl" | "ts" | "txt" => "text/plain; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn get(root: &Path, path: &str) -> Answer {
        answer(root, &Request { method: "GET".to_owned(), path: path.to_owned() })
    }

    #[test]
    fn files_with_their_types() {
        let root = Scratch::new();
        fs::create_dir(root.path().join("more")).unwrap();
        for name in ["index.html", "page.wasm", "main.js", "more/index.html"] {
            fs::write(root.path().join(name), name).unwrap();
        }
        for (path, body, content_type) in [
            ("/", "index.html", "text/html; charset=utf-8"),
            ("/?pause=15s", "index.html", "text/html; charset=utf-8"),
            ("/page.wasm", "page.wasm", "application/wasm"),
            ("/main.js?v=1", "main.js", "text/javascript; charset=utf-8"),
            ("/more/", "more/index.html", "text/html; charset=utf-8"),
        ] {
            let expected = Answer { status: "200 OK", content_type, body: body.as_bytes().to_vec() };
            assert_eq!(get(root.path(), path), expected, "{path}");
        }
        assert_eq!(get(root.path(), "/absent.js").status, "404 Not Found");
        assert_eq!(get(root.path(), "/more").status, "404 Not Found");
    }

    #[test]
    fn nothing_outside_the_root() {
        let folder = Scratch::new();
        let root = folder.path().join("site");
        fs::create_dir(&root).unwrap();
        fs::write(folder.path().join("secret"), "").unwrap();
        for path in [
            "/../secret",
            "/a/../../secret",
            "/..\\secret",
            "/%2e%2e/secret",
            "//etc/passwd",
            "/C:/secret",
            "secret",
            "",
        ] {
            assert_eq!(get(&root, path).status, "404 Not Found", "{path}");
        }
    }

    #[test]
    fn only_reading_is_allowed() {
        let request = Request { method: "POST".to_owned(), path: "/".to_owned() };
        assert_eq!(answer(Path::new("."), &request).status, "405 Method Not Allowed");
    }

    #[test]
    fn a_request_over_a_connection() {
        let root = Scratch::new();
        fs::write(root.path().join("index.html"), "hello").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let path = root.path().to_owned();
        thread::spawn(move || serve(&listener, &path));

        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let headers = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n\
                       Cache-Control: no-cache\r\nConnection: close\r\n\r\n";
        assert_eq!(ask("GET / HTTP/1.1\r\nHost: here\r\n\r\n"), format!("{headers}hello"));
        assert_eq!(ask("HEAD / HTTP/1.1\r\nHost: here\r\n\r\n"), headers);
        assert!(ask("nonsense\r\n\r\n").starts_with("HTTP/1.1 400 Bad Request"));
    }
}
