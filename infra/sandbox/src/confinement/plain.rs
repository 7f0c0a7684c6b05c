//! No confinement: the supervisor as a plain child.

use tokio::process::Command;

use super::{Inside, Plan, this_program};

pub async fn start(plan: &Plan) -> anyhow::Result<Inside> {
    let home = plan.home();
    std::fs::create_dir_all(&home)?;
    let mut starting = super::spawn(
        // A separate session: otherwise a prompt would reach the terminal from which the agent was started.
        Command::new("setsid")
            .arg(this_program()?)
            .args(["supervise", &plan.workspace_bytes.to_string()])
            .env_clear()
            .env("HOME", &home)
            .env("USER", &plan.user),
    )?;
    starting.ready().await?;
    Ok(starting.begin(None, None))
}
