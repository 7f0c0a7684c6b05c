import { Reading } from "../public-site/frame";

export function Component() {
  return (
    <Reading title="Privacy">
      <h2>What is kept</h2>
      <p>
        Your GitHub login, name and picture; your projects, conversations, plans, commands and their output;
        and backups of your sandboxes' workspaces.
      </p>
      <h2>Keys and passwords</h2>
      <p>
        Secrets you type into a chat are found and sealed before anything is stored. Models, logs and
        transcripts see their names only. They are opened for the run of a command that you approved and for
        nothing else.
      </p>
      <h2>Who else sees it</h2>
      <p>
        What you write to an agent is sent to the model provider that answers for it. Payments are handled by
        a payment provider; card numbers never reach us. Nothing is sold.
      </p>
      <h2>In your browser</h2>
      <p>
        One cookie keeps you signed in. The browser's storage holds the id of your installation and a few
        choices, such as where you left a divider.
      </p>
    </Reading>
  );
}
