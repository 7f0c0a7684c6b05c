//! The events in `infra/template.yaml` with which API Gateway calls the functions.

use super::{Route, merged, with_lines};
use crate::names::pascal;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use std::ops::Range;

/// What the line that names a function's program begins with.
const PROGRAM: &str = "    Metadata: {BuildMethod: rust-cargolambda, BuildProperties: {Binary: ";
const EVENTS: &str = "      Events:";
/// The indentation of an event's name.
const INDENT: &str = "        ";
/// How long API Gateway waits for the end of a stream, in milliseconds: as long as Lambda lets a function run.
const STREAM_MILLISECONDS: u32 = 900_000;

/// The template with these routes.
pub fn updated(
    template: &str,
    routes: &[Route],
    streams: impl Fn(&str) -> Result<bool>,
) -> Result<String> {
    let programs = template.lines().filter_map(|line| line.strip_prefix(PROGRAM));
    let functions: BTreeSet<&str> = programs.map(|rest| rest.trim_end_matches('}')).collect();
    for Route { method, path, function, .. } in routes {
        ensure!(
            functions.contains(function.as_str()),
            "infra/template.yaml has no function {function}, which the tag of {method} {path} names"
        );
    }
    functions.iter().try_fold(template.to_owned(), |text, function| {
        let own: Vec<&Route> = routes.iter().filter(|route| route.function == **function).collect();
        with_events(&text, function, &own, streams(function)?)
    })
}

fn with_events(text: &str, function: &str, routes: &[&Route], streams: bool) -> Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(range) = events_of(&lines, function) else {
        ensure!(routes.is_empty(), "infra/template.yaml: add `Events:` to the function {function}");
        return Ok(text.to_owned());
    };
    let present = entries(&lines[range.clone()]);
    let wanted = routes.iter().map(|route| {
        let call = (route.method.clone(), route.path.clone());
        let kept = present.iter().find(|(present, _)| present.as_ref() == Some(&call));
        let name = kept.map_or_else(|| pascal(&route.handler), |(_, entry)| name(entry).to_owned());
        (call, event(&name, route, streams))
    });
    let wanted = wanted.collect();
    let events = merged(present, wanted);
    let mut names = BTreeSet::new();
    for name in events.iter().map(|event| name(event)).filter(|name| !name.starts_with('#')) {
        ensure!(
            names.insert(name),
            "infra/template.yaml: two events of the function {function} would have the name {name}; rename the current one"
        );
    }
    Ok(with_lines(&lines, range, &events))
}

/// The lines of a function's events.
fn events_of(lines: &[&str], function: &str) -> Option<Range<usize>> {
    let head = format!("  {}Function:", pascal(function));
    let block = lines.iter().position(|line| *line == head)?;
    let length = lines[block..].iter().take_while(|line| !line.is_empty()).count();
    let events = lines[block..block + length].iter().position(|line| *line == EVENTS)?;
    let start = block + events + 1;
    Some(start..start + lines[start..].iter().take_while(|line| line.starts_with(INDENT)).count())
}

/// A call by its method and path.
type Call = (String, String);

/// The events in these lines, each with its call if API Gateway makes it. A comment is an entry of its own.
fn entries(lines: &[&str]) -> Vec<(Option<Call>, String)> {
    let mut entries: Vec<String> = Vec::new();
    for line in lines {
        match entries.last_mut() {
            Some(entry) if line[INDENT.len()..].starts_with(' ') => *entry += &format!("\n{line}"),
            _ => entries.push((*line).to_owned()),
        }
    }
    entries.into_iter().map(|entry| (call(&entry), entry)).collect()
}

fn call(entry: &str) -> Option<Call> {
    let after = |mark: &str, end: char| {
        let (_, rest) = entry.split_once(mark)?;
        Some(rest.split(end).next()?.to_owned())
    };
    entry.contains("{Type: Api, ").then_some(())?;
    Some((after("Method: ", ',')?, after("Path: '", '\'')?))
}

fn name(entry: &str) -> &str {
    entry.trim_start().split(':').next().unwrap_or_default()
}

fn event(name: &str, route: &Route, streams: bool) -> String {
    let Route { method, path, .. } = route;
    let call = format!("RestApiId: !Ref RestApi, Method: {method}, Path: '{path}'");
    if streams {
        format!(
            "{INDENT}{name}:\n{INDENT}  {{Type: Api, Properties: {{{call},\n\
             {INDENT}    ResponseTransferMode: RESPONSE_STREAM, TimeoutInMillis: {STREAM_MILLISECONDS}}}}}"
        )
    } else {
        format!("{INDENT}{name}: {{Type: Api, Properties: {{{call}}}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = "Resources:
  # The shop.
  ShopFunction:
    Type: AWS::Serverless::Function
    Metadata: {BuildMethod: rust-cargolambda, BuildProperties: {Binary: shop}}
    Properties:
      Events:
        # Kept.
        Tick:
          Type: Schedule
          Properties: {Schedule: rate(1 minute)}
        Read: {Type: Api, Properties: {RestApiId: !Ref RestApi, Method: get, Path: '/things'}}
        Gone: {Type: Api, Properties: {RestApiId: !Ref RestApi, Method: put, Path: '/things'}}
      Timeout: 900

  IdleFunction:
    Metadata: {BuildMethod: rust-cargolambda, BuildProperties: {Binary: idle}}
";

    fn route(path: &str, function: &str, handler: &str) -> Route {
        let [path, function, handler] = [path, function, handler].map(str::to_owned);
        Route { method: "get".to_owned(), path, function, handler }
    }

    #[test]
    fn a_kept_call_keeps_its_name_and_other_events_stay() {
        let routes =
            [route("/things", "shop", "things"), route("/things/{id}", "shop", "one_thing")];
        let updated = updated(TEMPLATE, &routes, |_| Ok(false)).unwrap();
        let gone = "        Gone: {Type: Api, Properties: {RestApiId: !Ref RestApi, Method: put, Path: '/things'}}";
        let new = "        OneThing: {Type: Api, Properties: {RestApiId: !Ref RestApi, Method: get, Path: '/things/{id}'}}";
        assert_eq!(updated, TEMPLATE.replace(gone, new));
    }

    #[test]
    fn a_streaming_function_streams_on_each_of_its_calls() {
        let routes = [route("/things", "shop", "things")];
        let updated = updated(TEMPLATE, &routes, |function| Ok(function == "shop")).unwrap();
        let event = "        Read:
          {Type: Api, Properties: {RestApiId: !Ref RestApi, Method: get, Path: '/things',
            ResponseTransferMode: RESPONSE_STREAM, TimeoutInMillis: 900000}}
      Timeout: 900\n";
        assert!(updated.contains(event), "{updated}");
        let again = super::updated(&updated, &routes, |_| Ok(true)).unwrap();
        assert_eq!(again, updated, "a second run changes nothing");
    }

    #[test]
    fn a_call_without_a_place_is_refused_with_the_reason() {
        for (route, reason) in [
            (route("/x", "nowhere", "x"), "has no function nowhere, which the tag of get /x names"),
            (route("/x", "idle", "x"), "add `Events:` to the function idle"),
            (route("/x", "shop", "tick"), "would have the name Tick"),
        ] {
            let refused = updated(TEMPLATE, &[route], |_| Ok(false)).unwrap_err().to_string();
            assert!(refused.contains(reason), "{refused}");
        }
    }
}
