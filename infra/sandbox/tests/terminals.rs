//! Terminals: fast, lasting, and never out of order.
use std::time::{Duration, Instant};

use crate::support::sandbox;
use protocol::{FromAgent, ToAgent};

const PROMPT: &str = "\u{1b}[32muser_4512_8841\u{1b}[0m:\u{1b}[34m~/workspace\u{1b}[0m$ ";

#[tokio::test]
async fn a_terminal_greets_with_its_prompt_and_echoes() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "echo $((6*7)) $0 $TERM; tty\r");
    gateway.shows(&mut screen, "42 bash xterm-256color\r\n/dev/pts/").await;
}

#[tokio::test]
async fn keys_that_overtake_each_other_are_put_back_in_order() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 2, "cho abc\r");
    gateway.keys("c1", "main", 1, "e");
    gateway.keys("c1", "main", 1, "e");
    gateway.keys("c1", "main", 0, " ");
    gateway.shows(&mut screen, " echo abc\r\n").await;
    gateway.shows(&mut screen, "abc\r\n").await;
}

#[tokio::test]
async fn a_key_that_never_arrives_does_not_block_the_keyboard() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 1, "echo with a hole\r");
    gateway.keys("c1", "main", 2, "\u{3}");
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 3, "echo after $((1+1)); history | grep -c hole\r");
    gateway.shows(&mut screen, "after 2\r\n1\r\n").await;
}

#[tokio::test]
async fn a_terminal_has_the_size_of_its_browser() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "stty size\r");
    gateway.shows(&mut screen, "24 80\r\n").await;
    gateway.tell(ToAgent::TerminalResize {
        connection: "c1".into(),
        terminal: "main".into(),
        rows: 50,
        cols: 132,
    });
    gateway.keys("c1", "main", 1, "stty size\r");
    gateway.shows(&mut screen, "50 132\r\n").await;
}

#[tokio::test]
async fn two_terminals_are_two_shells() {
    let (mut gateway, _agent) = sandbox().await;
    let mut one = gateway.attach("c1", "one", 0);
    let mut two = gateway.attach("c1", "two", 0);
    gateway.shows(&mut one, PROMPT).await;
    gateway.shows(&mut two, PROMPT).await;
    gateway.keys("c1", "one", 0, "x=first; cd /tmp\r");
    gateway.keys("c1", "two", 1, "x=second\r");
    gateway.keys("c1", "one", 2, "echo I am $x in $PWD\r");
    gateway.keys("c1", "two", 3, "echo I am $x in $PWD\r");
    gateway.shows(&mut one, "I am first in /tmp\r\n").await;
    gateway.shows(&mut two, "I am second in /home/user_4512_8841/workspace\r\n").await;
}

#[tokio::test]
async fn a_returning_browser_gets_the_output_it_missed_and_a_new_one_gets_all_of_it() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "echo before-$((1))\r");
    gateway.shows(&mut screen, "before-1\r\n").await;
    gateway.shows(&mut screen, PROMPT).await;
    let known = screen.stream.next();
    gateway.tell(ToAgent::TerminalDetach { connection: "c1".into() });
    gateway.keys("c2", "main", 0, "echo after-$((1))\r");

    let mut back = gateway.attach("c3", "main", known);
    gateway.shows(&mut back, "after-1\r\n").await;
    assert!(!back.text.contains("before"));
    let mut new = gateway.attach("c4", "main", 0);
    gateway.shows(&mut new, "before-1\r\n").await;
    gateway.shows(&mut new, "after-1\r\n").await;
}

#[tokio::test]
async fn nothing_is_lost_or_doubled_when_the_connection_is_cut_amid_output() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "seq -s ' ' 100000; echo\r");
    gateway.shows(&mut screen, " 5000 ").await;
    gateway.cut();
    gateway.hello().await;
    gateway.shows(&mut screen, " 50000 ").await;
    gateway.cut();
    gateway.hello().await;
    let expected: String = (50_001..100_000).map(|n| format!("{n} ")).collect();
    gateway.shows(&mut screen, &expected).await;
}

#[tokio::test]
async fn a_connection_is_renewed_without_a_visible_effect() {
    let mut gateway = crate::support::Gateway::start().await;
    let renew = [("GROUNDCREW_RENEW_AFTER_SECONDS", "1")];
    let _agent = crate::support::Agent::start_with(&gateway, &renew);
    gateway.hello().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "for i in $(seq 300); do echo line $i; sleep 0.01; done\r");
    for line in 1..=300 {
        gateway.shows(&mut screen, &format!("line {line}\r\n")).await;
    }
    gateway.gone(0).await;
    assert!(gateway.connections() > 1);
}

#[tokio::test]
async fn viewers_learn_of_a_shells_end_after_its_last_output_and_the_next_attach_starts_another() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "echo last; exit 3\r");
    let exit_code = gateway
        .wait(|m| match m {
            FromAgent::TerminalExited { exit_code, .. } => Some(*exit_code),
            _ => None,
        })
        .await;
    assert_eq!(exit_code, 3);
    // It has arrived already, so there is no need to wait.
    gateway.shows(&mut screen, "last\r\n").await;
    let known = screen.stream.next();
    let mut again = gateway.attach("c1", "main", known);
    gateway.shows(&mut again, PROMPT).await;
}

#[tokio::test]
async fn characters_are_never_cut_between_frames() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "python3 -c \"print('a' + '€😀' * 30000 + 'z')\"\r");
    gateway.shows(&mut screen, &format!("a{}z\r\n", "€😀".repeat(30_000))).await;
}

#[tokio::test]
async fn ctrl_c_stops_a_flood_at_once_and_memory_stays() {
    let (mut gateway, agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "yes flood\r");
    for _ in 0..100 {
        gateway.shows(&mut screen, "flood\r\n").await;
    }
    let before = resident_kb(agent.pid());
    for _ in 0..200_000 {
        gateway.shows(&mut screen, "flood\r\n").await;
    }
    let pressed = Instant::now();
    gateway.keys("c1", "main", 1, "\u{3}");
    gateway.shows(&mut screen, PROMPT).await;
    let took = pressed.elapsed();
    println!("ctrl-c in a flood to prompt: {took:?}");
    let grown = resident_kb(agent.pid()).saturating_sub(before);
    assert!(grown < 8 * 1024, "grown by {grown} KB");
    // It takes milliseconds; the limit allows for a busy machine, and is far below the time that a queue would take.
    assert!(took < Duration::from_secs(5), "{took:?}");
}

fn resident_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
