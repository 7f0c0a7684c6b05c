//! Words that say what a program writes: texts, formats and filters.

use super::{all, starts_plain};

/// What `curl` may print about a request. Others show its headers, all that is known of it, or write to a file.
const WRITTEN_OUT: [&str; 19] = [
    "content_type",
    "errormsg",
    "exitcode",
    "http_code",
    "http_version",
    "local_port",
    "num_redirects",
    "remote_ip",
    "remote_port",
    "response_code",
    "scheme",
    "size_download",
    "size_header",
    "ssl_verify_result",
    "time_appconnect",
    "time_connect",
    "time_namelookup",
    "time_starttransfer",
    "time_total",
];

/// By what docker's lists may be filtered.
const FILTERED_BY: [&str; 11] = [
    "ancestor",
    "dangling",
    "driver",
    "exited",
    "health",
    "id",
    "name",
    "network",
    "reference",
    "scope",
    "status",
];

/// Whether `echo` takes the word for options; it prints any other word.
pub(super) fn is_echo_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| {
        !letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter))
    })
}

/// Whether curl's format has only plain text, `\n`, `\t` and variables that hold no text of the answer. `@` before
/// anything else would name a file.
pub(super) fn is_write_out(format: &str) -> bool {
    let plain = |text: &str| {
        let text = text.replace("\\n", "").replace("\\t", "");
        text.is_empty() || all(&text, " :=,./_|()-")
    };
    let mut parts = format.split("%{");
    let first = parts.next().unwrap_or_default();
    !format.starts_with('-')
        && plain(first)
        && parts.all(|part| {
            part.split_once('}')
                .is_some_and(|(name, text)| WRITTEN_OUT.contains(&name) && plain(text))
        })
}

/// Whether a filter of docker's lists is by what these show.
pub(super) fn is_docker_filter(word: &str) -> bool {
    word.split_once('=').is_some_and(|(by, value)| {
        FILTERED_BY.contains(&by) && starts_plain(value) && all(value, "._:/-")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_prints_only_what_is_known_of_the_request() {
        for format in [
            "%{http_code}",
            "HTTP %{http_code} in %{time_total}s\\n",
            "code=%{response_code}, %{remote_ip}:%{remote_port}\\n",
        ] {
            assert!(is_write_out(format), "{format}");
        }
        for format in [
            "@format.txt",
            "@-",
            "%{json}",
            "%{header_json}",
            "%header{set-cookie}",
            "%output{/tmp/x}%{http_code}",
            "%{http_code",
            "%{stderr}",
            "%{url_effective}",
        ] {
            assert!(!is_write_out(format), "{format}");
        }
    }

    #[test]
    fn docker_filters_by_what_its_lists_show() {
        for filter in ["name=web", "status=exited", "ancestor=nginx:1.27", "dangling=true"] {
            assert!(is_docker_filter(filter), "{filter}");
        }
        for filter in
            ["label=token", "label=a=b", "volume=/etc", "env=x", "name", "name=", "name=-x"]
        {
            assert!(!is_docker_filter(filter), "{filter}");
        }
    }

    #[test]
    fn echo_prints_words_that_are_not_options_of_its_own() {
        for word in ["---", "--", "-", "-x", "--help", "a", ""] {
            assert!(!is_echo_option(word), "{word}");
        }
        for word in ["-e", "-n", "-ne", "-E"] {
            assert!(is_echo_option(word), "{word}");
        }
    }
}
