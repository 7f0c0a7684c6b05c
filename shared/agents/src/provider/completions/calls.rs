//! Puts together the tool calls of a reply from their pieces.
//!
//! A piece says by its `index` to which call it belongs. If a server leaves the index out, or gives all calls the same
//! one, ids, names and complete arguments show where a call ends and the next begins.

use crate::exchange;
use serde_json::{Map, Value};

/// The calls so far, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug)]
struct Call {
    index: Option<u64>,
    /// The id as the server gave it; empty, or the same for several calls.
    given: String,
    /// The id by which its result is sent back; no other call has it.
    id: String,
    name: String,
    arguments: String,
}

impl Calls {
    /// Adds a piece; returns its call with the arguments so far, as text.
    pub(super) fn push(&mut self, piece: &Value) -> exchange::Call {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        // Some servers leave the wrapper out.
        let function = piece.get("function").filter(|f| f.is_object()).unwrap_or(piece);
        let (given, name) = (text(&piece["id"]), text(&function["name"]));
        let arguments = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            // Some servers send the arguments as an object, in one piece.
            other => other.to_string(),
        };
        let index = &piece["index"];
        let index = index.as_u64().or_else(|| index.as_str()?.parse().ok());
        let known = self.known(index, &given, &name);
        let known = known.filter(|at| !self.0[*at].ended_before(&given, &name, &arguments));
        let at = known.unwrap_or_else(|| self.begin(index, given.clone()));
        let call = &mut self.0[at];
        if call.name.is_empty() {
            call.name = name;
        }
        call.arguments.push_str(&arguments);
        call.so_far()
    }

    /// The newest call to which a piece may belong.
    fn known(&self, index: Option<u64>, given: &str, name: &str) -> Option<usize> {
        let calls = &self.0;
        if index.is_some() {
            return calls.iter().rposition(|call| call.index == index);
        }
        let same = |call: &Call| !given.is_empty() && call.given == given;
        // Without a name, it continues the newest call, whatever its id is: some servers give each piece a new one.
        let newest = || calls.len().checked_sub(1).filter(|_| given.is_empty() || name.is_empty());
        calls.iter().rposition(same).or_else(newest)
    }

    /// Begins a call; returns its place.
    fn begin(&mut self, index: Option<u64>, given: String) -> usize {
        let taken = |id: &str| id.is_empty() || self.0.iter().any(|call| call.id == id);
        let numbered = || (self.0.len() + 1..).map(|n| format!("call_{n}")).find(|id| !taken(id));
        let id = Some(given.clone()).filter(|id| !taken(id)).or_else(numbered);
        let (id, name, arguments) = (id.unwrap_or_default(), String::new(), String::new());
        self.0.push(Call { index, given, id, name, arguments });
        self.0.len() - 1
    }

    /// The calls of the complete reply.
    pub(super) fn into_whole(self) -> Vec<exchange::Call> {
        let whole = self.0.into_iter().map(|call| {
            // Text that is not JSON is passed on as it is; the tool may still understand it.
            let arguments = serde_json::from_str(&call.arguments);
            let arguments = arguments.unwrap_or_else(|_| Value::String(call.arguments.clone()));
            exchange::Call { arguments, ..call.so_far() }
        });
        whole.collect()
    }
}

impl Call {
    /// Whether this call had ended before a piece with these parts, which begins another.
    fn ended_before(&self, given: &str, name: &str, arguments: &str) -> bool {
        if name.is_empty() || self.name.is_empty() {
            return false;
        }
        let other_id = !given.is_empty() && !self.given.is_empty() && given != self.given;
        let complete = || serde_json::from_str::<Map<String, Value>>(&self.arguments).is_ok();
        other_id || name != self.name || (arguments.trim_start().starts_with('{') && complete())
    }

    fn so_far(&self) -> exchange::Call {
        exchange::Call {
            id: self.id.clone(),
            name: self.name.clone(),
            arguments: Value::String(self.arguments.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Id, name and arguments of the calls in these pieces.
    fn calls(pieces: &[Value]) -> Vec<(String, String, Value)> {
        let mut calls = Calls::default();
        for piece in pieces {
            calls.push(piece);
        }
        let whole = calls.into_whole().into_iter();
        whole.map(|call| (call.id, call.name, call.arguments)).collect()
    }

    fn piece(id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
        json!({"id": id, "function": {"name": name, "arguments": arguments}})
    }

    fn at(index: impl Into<Value>, mut piece: Value) -> Value {
        piece["index"] = index.into();
        piece
    }

    #[test]
    fn two_calls_are_distinguished_however_the_server_sends_them() {
        let (a, b) = (|id| piece(id, Some("f"), ""), |id| piece(id, Some("g"), ""));
        let (first, rest) = ("{\"x\"", ": 1}");
        let more = |id, text| piece(id, None, text);
        let forms = [
            // As OpenAI sends them; then without an index, with an id at the beginning or everywhere.
            vec![
                at(0, a(Some("p"))),
                at(0, more(None, first)),
                at(0, more(None, rest)),
                at(1, b(Some("q"))),
                at(1, more(None, first)),
                at(1, more(None, rest)),
            ],
            vec![
                a(Some("p")),
                more(None, first),
                more(None, rest),
                b(Some("q")),
                more(None, first),
                more(None, rest),
            ],
            vec![
                a(Some("p")),
                b(Some("q")),
                more(Some("p"), first),
                more(Some("q"), first),
                more(Some("p"), rest),
                more(Some("q"), rest),
            ],
            // Numbered from 1, and as text.
            vec![
                at("1", piece(Some("p"), Some("f"), first)),
                at("1", more(None, rest)),
                at("2", piece(Some("q"), Some("g"), first)),
                at("2", more(None, rest)),
            ],
            // One index for all, with id and name in each piece.
            vec![
                at(0, piece(Some("p"), Some("f"), first)),
                at(0, piece(Some("p"), Some("f"), rest)),
                at(0, piece(Some("q"), Some("g"), first)),
                at(0, piece(Some("q"), Some("g"), rest)),
            ],
            // A new id for each piece.
            vec![
                piece(Some("p"), Some("f"), first),
                more(Some("x"), rest),
                piece(Some("q"), Some("g"), first),
                more(Some("y"), rest),
            ],
            // Arguments as an object.
            vec![
                json!({"id": "p", "function": {"name": "f", "arguments": {"x": 1}}}),
                json!({"id": "q", "name": "g", "arguments": {"x": 1}}),
            ],
        ];
        let call = |id: &str, name: &str| (id.to_owned(), name.to_owned(), json!({"x": 1}));
        for form in &forms {
            assert_eq!(calls(form), [call("p", "f"), call("q", "g")], "{form:#?}");
        }
    }

    #[test]
    fn calls_without_ids_or_with_one_id_for_all_get_an_id_each() {
        for id in [None, Some(""), Some("same")] {
            let pieces = [
                piece(id, Some("f"), "{\"x\""),
                piece(id, None, ": 1}"),
                piece(id, Some("f"), "{\"x\": 2}"),
                piece(id, Some("g"), ""),
            ];
            let calls = calls(&pieces);
            let arguments: Vec<_> = calls.iter().map(|(_, _, arguments)| arguments).collect();
            assert_eq!(arguments, [&json!({"x": 1}), &json!({"x": 2}), &json!("")], "{id:?}");
            let ids: std::collections::HashSet<_> = calls.iter().map(|(id, _, _)| id).collect();
            assert_eq!((ids.len(), ids.contains(&String::new())), (3, false));
        }
    }
}
