//! A command that an agent types for the user, and the Enter after it: only at the shell's empty prompt.
use crate::support::{Gateway, PATIENCE, Screen, sandbox};

/// The end of the shell's prompt.
const PROMPT: &str = "\u{1b}[0m$ ";

/// Empties a line editor's line and enters it. Ctrl-C would not do: if bash receives it between echoing a key and
/// waiting for the next one, bash prompts only at that next key.
const EMPTY_LINE: &str = "\u{15}\r";

const CTRL_C: &str = "\u{3}";

/// Presses the keys that leave a program. Bash loses a Ctrl-C that it receives just before it waits for input, so that one
/// is pressed again until the prompt returns, as a user would. Returns the number of the next key.
async fn leaves(gateway: &mut Gateway, screen: &mut Screen, seq: u64, leave: &str) -> u64 {
    let (tries, patience) = if leave == CTRL_C { (10, PATIENCE / 10) } else { (1, PATIENCE) };
    for next in seq + 1..=seq + tries {
        gateway.keys("c1", "main", next - 1, leave);
        // Leaving the program may discard input typed before the prompt returns.
        if gateway.shows_within(patience, screen, PROMPT).await {
            return next;
        }
    }
    panic!("the prompt never came, only {:?}", screen.text)
}

/// Has the shell print something, which shows that no command ran before it: typed commands run in order.
async fn nothing_ran(gateway: &mut Gateway, screen: &mut Screen, seq: u64, leave: &str) {
    let next = leaves(gateway, screen, seq, leave).await;
    gateway.keys("c1", "main", next, "[ -e ran ]; echo it r''an: $?\r");
    gateway.shows(screen, "it ran: ").await;
    gateway.shows(screen, "\r\n").await;
    assert_eq!(screen.passed, "1\r\n");
}

#[tokio::test]
async fn at_the_empty_prompt_a_typed_command_runs() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.types_for("c1", "main", 0, "echo $((6*7))");
    gateway.shows(&mut screen, "42\r\n").await;
    gateway.shows(&mut screen, PROMPT).await;
    gateway.types_for("c1", "main", 2, "echo $((6*8))");
    gateway.shows(&mut screen, "48\r\n").await;
}

#[tokio::test]
async fn after_the_users_own_text_a_typed_command_is_not_run() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "touch ran; ");
    gateway.types_for("c1", "main", 1, "pwd");
    gateway.does_not_type("pwd").await;
    nothing_ran(&mut gateway, &mut screen, 3, EMPTY_LINE).await;
}

#[tokio::test]
async fn in_another_programs_prompt_a_typed_command_is_not_run() {
    for (program, shown, typed, leave) in [
        // The line, which would run as Python instead of bash.
        ("python3 -q", ">>> ", "__import__('os').system('touch ran')", "\u{15}\u{4}"),
        // A shell inside the shell, with the same mark.
        ("PS1='inner> ' bash --norc", "inner> ", "touch ran", "\u{15}\u{4}"),
        // They print when they run: before that, the terminal does not show what is typed.
        ("echo rea''dy; cat | bash", "ready\r\n", "touch ran", CTRL_C),
        ("echo rea''dy; read -r line && bash -c \"$line\"", "ready\r\n", "touch ran", CTRL_C),
        ("echo rea''dy; bash -c \"$(cat)\"", "ready\r\n", "touch ran", CTRL_C),
        ("cat <<END | bash", "> ", "touch ran", "\u{15}\u{4}"),
    ] {
        let (mut gateway, _agent) = sandbox().await;
        let mut screen = gateway.attach("c1", "main", 0);
        gateway.shows(&mut screen, PROMPT).await;
        gateway.keys("c1", "main", 0, &format!("{program}\r"));
        gateway.shows(&mut screen, "\r\n").await;
        gateway.shows(&mut screen, shown).await;
        gateway.types_for("c1", "main", 1, typed);
        gateway.does_not_type(typed).await;
        nothing_ran(&mut gateway, &mut screen, 3, leave).await;
    }
}

/// Starts a program that prints the shell's mark, and types a command for the user, which must not reach it.
async fn is_not_typed_into(gateway: &mut Gateway, program: &str) -> Screen {
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, &format!("{program}\r"));
    gateway.shows(&mut screen, "ready").await;
    gateway.types_for("c1", "main", 1, "touch ran");
    gateway.does_not_type("touch ran").await;
    screen
}

/// Has a program print the shell's mark and read a line, which it would run; `leave` ends it without running one.
async fn gets_no_enter(program: &str, leave: &str) {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = is_not_typed_into(&mut gateway, program).await;
    nothing_ran(&mut gateway, &mut screen, 3, leave).await;
}

#[tokio::test]
async fn a_program_that_takes_single_keys_gets_none_of_a_typed_command() {
    for (program, shown, key, leave) in [
        // The agent's first key would leave each of them, or decide.
        ("seq 500 > long; less long", "\n20\r", "q", "q"),
        ("vi -u NONE -c 'echo \"rea\" . \"dy\"' note", "ready", "Z", ":q!\r"),
        ("echo rea''dy; read -r -n1 -s yes && [ $yes = y ] && touch ran", "ready\r\n", "y", "n"),
        (
            "python3 -c 'import sys, tty; tty.setcbreak(0); print(\"rea\" + \"dy\"); sys.stdin.read(1) == \"y\" and open(\"ran\", \"w\")'",
            "ready\r\n",
            "y",
            "n",
        ),
    ] {
        let (mut gateway, _agent) = sandbox().await;
        let mut screen = gateway.attach("c1", "main", 0);
        gateway.shows(&mut screen, PROMPT).await;
        gateway.keys("c1", "main", 0, &format!("{program}\r"));
        gateway.shows(&mut screen, "\r\n").await;
        gateway.shows(&mut screen, shown).await;
        let command = format!("{key}s aux");
        gateway.types_part("c1", "main", 1, (&command, "", key));
        gateway.does_not_type(&command).await;
        // Neither does a later key, even if the prompt has returned in the meantime.
        gateway.types_part("c1", "main", 2, (&command, key, "s"));
        gateway.does_not_type(&command).await;
        nothing_ran(&mut gateway, &mut screen, 3, leave).await;
    }
}

#[tokio::test]
async fn a_users_key_among_an_agents_keys_ends_its_typing() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.types_part("c1", "main", 0, ("touch ran", "", "touch"));
    gateway.shows(&mut screen, "touch").await;
    gateway.keys("c1", "main", 1, "!");
    gateway.types_part("c1", "main", 2, ("touch ran", "touch", " ran"));
    gateway.does_not_type("touch ran").await;
    nothing_ran(&mut gateway, &mut screen, 3, EMPTY_LINE).await;
}

#[tokio::test]
async fn a_program_that_prints_the_shells_mark_gets_no_enter() {
    let reads = "printf \"\\e]133;A;%s\\area\"\"dy\" \"$groundcrew_word\"; read -r x; eval \"$x\"";
    gets_no_enter(&format!("groundcrew_word=$groundcrew_word bash -c '{reads}'"), EMPTY_LINE).await;
    // The shell's `read` has the input; its line editor is inactive in the meantime.
    gets_no_enter(reads, EMPTY_LINE).await;
    // Like the shell, it takes keys one by one.
    let reads = r#"word=$groundcrew_word python3 -c 'import os, tty; tty.setcbreak(0); os.write(1, b"\x1b]133;A;" + os.environb[b"word"] + b"\x07rea" + b"dy"); r = lambda t: t.endswith(b"q") or (os.system(t) if t.endswith(b"\n") else (os.write(1, t[-1:]), r(t + os.read(0, 1)))[1]); r(b"")'"#;
    gets_no_enter(reads, "q").await;
}

#[tokio::test]
async fn a_program_in_the_shells_place_gets_no_enter_for_a_mark_of_its_own() {
    let keys = r#"tty.setcbreak(0); os.write(1, b"\x1b]133;A\x07\x1b]133;A;\x07rea" + b"dy"); key = os.read(0, 1); open("ran", "w") if key == b"\r" or key == b"\n" else os.system(key)"#;
    let program = format!("exec python3 -c 'import os, tty; {keys}'");
    let (mut gateway, agent) = sandbox().await;
    is_not_typed_into(&mut gateway, &program).await;
    assert!(!agent.workspace().join("ran").exists());
}

#[tokio::test]
async fn no_other_process_learns_the_word_of_the_shells_mark() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    let looks = "echo ${#groundcrew_word}; env | grep -c -e PROMPT_WORD_FILE -e $groundcrew_word; ls /tmp | grep -c prompt-; echo do''ne\r";
    gateway.keys("c1", "main", 0, looks);
    gateway.shows(&mut screen, "done\r\n").await;
    assert!(screen.passed.ends_with("32\r\n0\r\n0\r\ndone\r\n"), "{}", screen.passed);
}

#[tokio::test]
async fn text_typed_ahead_of_the_prompt_gets_no_enter() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "read -n1 -s; echo go''ne\rx touch ran; ");
    gateway.shows(&mut screen, "gone\r\n").await;
    gateway.shows(&mut screen, PROMPT).await;
    gateway.types_for("c1", "main", 1, "pwd");
    gateway.does_not_type("pwd").await;
    nothing_ran(&mut gateway, &mut screen, 3, EMPTY_LINE).await;
}

#[tokio::test]
async fn a_command_that_differs_from_the_line_gets_no_enter() {
    let (mut gateway, _agent) = sandbox().await;
    let mut screen = gateway.attach("c1", "main", 0);
    gateway.shows(&mut screen, PROMPT).await;
    gateway.keys("c1", "main", 0, "touch ran");
    gateway.shows(&mut screen, "touch ran").await;
    gateway.types_for("c1", "main", 1, "");
    nothing_ran(&mut gateway, &mut screen, 3, EMPTY_LINE).await;
}
