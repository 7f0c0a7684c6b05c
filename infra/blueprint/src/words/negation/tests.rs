use super::*;

#[test]
fn a_negation_may_follow_what_it_rules_out() {
    for text in [
        "backups are not needed",
        "backups brauche ich not",
        "backups doch not",
        "postgres, backups no hacen falta",
        "backups not",
        "backups would not be ok",
        "please skip the backups",
        "nothing about backups",
        "leave the backups out",
        "take the backups out again",
        "the backups can go",
        "backups forget wir",
        "but not with backups",
        "disable the backups",
        "turn off the backups",
        "switch the backups off",
        "redis instead of backups",
        "everything except backups",
        "anything but backups",
        "nix mit backups",
        "backups off please",
        "backups without a tape not at all",
        "don't use backups",
        "we will not use backups",
        "no, do not ever use backups",
    ] {
        assert!(Words::of(text).excludes("backup"), "{text}");
    }
    for text in [
        "backups not dumps",
        "not only backups",
        "no redis but backups",
        "without redis and with backups",
        "backups, not redis",
        "rabbitmq instead of redis and backups instead of dumps",
        "remove redis and add backups",
        "don't forget the backups",
        "backups must not be exposed",
        "backups without any tape",
        "nothing may be reachable from outside, except the backups",
        "everything closed except backups",
        "no redis use backups",
        "ohne redis nehmen wir backups",
        "443 open nothing else and backups",
        "sans celery ni redis backups",
    ] {
        assert!(Words::of(text).means("backup"), "{text}");
    }
}

#[test]
fn ruling_out_a_part_of_a_thing_does_not_rule_out_the_whole() {
    assert!(Words::of("not even ssh, please").excludes_whole("ssh"));
    assert!(!Words::of("no ssh passwords").excludes_whole("ssh"));
}
