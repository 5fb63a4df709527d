//! Just enough of HTML to see which files a page names: its tags and their attributes.

/// A start tag. Attributes without a value have an empty one.
#[derive(Debug, PartialEq)]
pub struct Tag<'a> {
    pub name: &'a str,
    pub attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Tag<'a> {
    /// The value of an attribute, if the tag has it.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }
}

/// The start tags of a document in their order, comments left out.
///
/// Our own pages are the input, not the web: names are in lower case and values in double quotes.
pub fn tags(mut text: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    while let Some((_, rest)) = text.split_once('<') {
        text = if let Some(comment) = rest.strip_prefix("!--") {
            comment.split_once("-->").map_or("", |(_, after)| after)
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (tag, after) = tag(rest);
            tags.push(tag);
            after
        } else {
            rest
        };
    }
    tags
}

/// Reads a tag from just behind its `<`, and returns what follows it.
fn tag(text: &str) -> (Tag<'_>, &str) {
    let (name, mut rest) = split_name(text);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            break;
        }
        if let Some(after) = rest.strip_prefix('>') {
            rest = after;
            break;
        }
        let (key, after) = split_name(rest);
        match after.strip_prefix("=\"").and_then(|value| value.split_once('"')) {
            Some((value, after)) => {
                attributes.push((key, value));
                rest = after;
            }
            None => {
                attributes.push((key, ""));
                rest = after.strip_prefix('=').unwrap_or(after);
            }
        }
    }
    (Tag { name, attributes }, rest)
}

/// Splits before the first character that ends a name, and after at least one character, so that reading goes on.
fn split_name(text: &str) -> (&str, &str) {
    let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '"');
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = text[first..].find(ends).map_or(text.len(), |at| at + first);
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_their_attributes() {
        let text = "<!doctype html><!-- <a href=\"/not\"> --><p>1 < 2</p>\n<script\n  type=\"module\" src=\"a.js\" async></script><br/>";
        let expected = vec![
            Tag { name: "p", attributes: vec![] },
            Tag { name: "script", attributes: vec![("type", "module"), ("src", "a.js"), ("async", "")] },
            Tag { name: "br", attributes: vec![] },
        ];
        assert_eq!(tags(text), expected);
    }

    #[test]
    fn broken_input_ends_too() {
        for text in ["<", "<a", "<a b", "<a b=", "<a b=\"", "<a =\"\"", "<!--", "<a \"\">", "<a b='x y'>"] {
            tags(text);
        }
    }
}
