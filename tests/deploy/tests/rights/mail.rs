//! Mail in the template: off by default, and then no role may send any.

use super::role::written;
use deploy_tests::Template;
use serde_json::{Value, json};

/// The functions that send letters.
const SENDERS: [&str; 2] = ["sandbox-reaper", "user"];

#[test]
pub fn functions_send_mail_only_from_the_configured_address() {
    let template = Template::load();
    let given = json!({"Fn::Not": [{"Fn::Equals": [{"Ref": "MailFrom"}, ""]}]});
    assert_eq!(template.section("Conditions")["HasMail"], given);
    assert_eq!(template.section("Parameters")["MailFrom"]["Default"], "");
    let mut senders = Vec::new();
    for function in template.functions() {
        let role = &template.section("Resources")[function.role()];
        let of_mail: Vec<&Value> = written(role)
            .into_iter()
            .filter(|statement| statement.to_string().contains("ses:"))
            .collect();
        if of_mail.is_empty() {
            assert!(!function.variables().contains(&"MAIL_FROM"), "{}", function.name());
            continue;
        }
        let [statement] = of_mail[..] else { panic!("{}: {of_mail:?}", function.name()) };
        let [condition, right, otherwise] = &statement["Fn::If"].as_array().unwrap()[..] else {
            panic!("{statement}");
        };
        assert_eq!((condition, otherwise), (&json!("HasMail"), &json!({"Ref": "AWS::NoValue"})));
        assert_eq!(right["Action"], "ses:SendEmail");
        let from = json!({"StringEquals": {"ses:FromAddress": {"Ref": "MailFrom"}}});
        assert_eq!(right["Condition"], from);
        assert!(function.variables().contains(&"MAIL_FROM"), "{}", function.name());
        senders.push(function.name().to_owned());
    }
    senders.sort_unstable();
    assert_eq!(senders, SENDERS);
}
