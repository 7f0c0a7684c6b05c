use super::*;

#[test]
fn servers_of_which_one_may_be_away_are_two_or_three() {
    let find = |text: &str| find_two_or_three(&Words::of(text));
    assert_eq!(find("in front of two web servers"), Found::Value("2".into()));
    assert_eq!(find("with three application servers"), Found::Value("3".into()));
    assert_eq!(find("two web servers, no, better three, in a row"), Found::Value("3".into()));
    assert_eq!(find("two web servers, three friends"), Found::Value("2".into()));
    assert_eq!(find("a load balancer and 2 backends"), Found::Value("2".into()));
    assert_eq!(find("a load balancer"), Found::Nothing);
    assert!(matches!(find("only one server"), Found::Nearest { value, .. } if value == "2"));
    assert!(matches!(find("five servers"), Found::Nearest { value, .. } if value == "3"));
    assert_eq!(accept_two_or_three("1"), None);
}

#[test]
fn servers_are_counted_up_to_three() {
    let find = |text: &str| find_up_to_three(&Words::of(text));
    assert_eq!(find("a cluster with three nodes"), Found::Value("3".into()));
    assert_eq!(find("2 servers in Helsinki"), Found::Value("2".into()));
    assert_eq!(find("on a single server"), Found::Value("1".into()));
    assert_eq!(find("one is enough"), Found::Value("1".into()));
    assert_eq!(find("ein nodes is enough"), Found::Value("1".into()));
    assert_eq!(find("only one server please"), Found::Value("1".into()));
    assert_eq!(find("make that three"), Found::Value("3".into()));
    assert_eq!(find("make it 3 instead of 2"), Found::Value("3".into()));
    assert_eq!(find("two instead of three"), Found::Value("2".into()));
    assert_eq!(find("3 days instead of 2"), Found::Nothing);
    assert_eq!(find("a server with 3 GB"), Found::Nothing);
    assert_eq!(find("only 2 users"), Found::Nothing);
    assert_eq!(find("and a third server"), Found::Value("3".into()));
    assert_eq!(find("add a third, also as a spare"), Found::Value("3".into()));
    assert_eq!(find("add a third user"), Found::Nothing);
    assert_eq!(find("drop the third node"), Found::Value("2".into()));
    assert!(matches!(find("five nodes"), Found::Nearest { value, .. } if value == "3"));
    for hostile in ["0", "4", "3;id", ""] {
        assert_eq!(accept_up_to_three(hostile), None, "{hostile}");
    }
}

#[test]
fn a_domain_may_be_left_out() {
    let find = |text: &str| find_optional_domain(&Words::of(text));
    assert_eq!(find("for www.example.com"), Found::Value("www.example.com".into()));
    assert_eq!(find("no domain, please"), Found::Value("none".into()));
    assert_eq!(find("with a domain"), Found::Nothing);
    for own in
        ["take CloudFront's own address for now", "the default url", "the cloudfront.net address"]
    {
        assert_eq!(find(own), Found::Value("none".into()), "{own}");
    }
    assert_eq!(accept_optional_domain("None"), Some("none".into()));
    assert_eq!(accept_optional_domain("x;id"), None);
}

#[test]
fn only_the_sites_domain_is_read_from_a_sentence() {
    let find = |text: &str| find_domain(&Words::of(text));
    let named = Found::Value("www.example.com".into());
    assert_eq!(find("nginx for www.Example.com, please."), named);
    assert_eq!(find("it will be at https://www.example.com/"), named);
    assert_eq!(find("from github.com/acme/shop to www.example.com"), named);
    assert_eq!(find("old.example.com becomes www.example.com, at www.example.com"), named);
    assert_eq!(find("not old.example.com but www.example.com"), named);
    assert_eq!(find("www.example.com and a staging copy at s.example.com"), named);
    for nothing in [
        "a Node.js site",
        "drop www.example.com",
        "from 203.0.113.7",
        "mail to ada@example.com",
        "v1.2",
    ] {
        assert_eq!(find(nothing), Found::Nothing, "{nothing}");
    }
    for hostile in ["a.b;id", "-a.com", "example", "a..com", "x.$(id)", "a.com'"] {
        assert_eq!(accept_domain(hostile), None, "{hostile}");
    }
}

#[test]
fn a_server_type_is_not_a_domain() {
    for text in ["t3.medium", "db.m6g.large", "c7gn.2xlarge"] {
        assert_eq!(accept_domain(text), None, "{text}");
    }
    assert_eq!(accept_domain("t3.example"), Some("t3.example".into()));
}
