import { paths } from "../lib/paths";
import { Contact, Reading } from "./frame";

export function Privacy() {
  return (
    <Reading
      title="Privacy policy"
      note="Last changed on November 29, 2026. What we keep, why, who else sees it, and what you can do about it."
    >
      <h2>In short</h2>
      <ul>
        <li>We keep what your projects need, and what we must know to charge for them.</li>
        <li>There are no advertisements, no third-party trackers and no sale of data.</li>
        <li>Keys and passwords are sealed: models see only their names, and outputs mask them.</li>
        <li>A browser that asks not to be tracked is not counted.</li>
      </ul>

      <Kept />
      <Recipients />
      <InYourBrowser />
      <h2>How long, and your rights</h2>
      <p>
        Sessions end automatically, and all of them at once when you choose "Sign Out Everywhere". Projects
        and their backups are kept until you delete them. Deleting your account, or uninstalling the app on
        GitHub, deletes all of them at once. Deleted data can be restored from our database's backups for 35
        days and from our file storage for 30 days; then it is gone. Records of payments are kept as long as
        the law requires. You can ask which data we hold about you, have it corrected or deleted, or get a
        copy: write to <Contact />. We aim to reply within 5 business days.
      </p>
      <p>
        The service is for people who are at least 18 years old. We do not knowingly keep data of anyone
        younger.
      </p>

      <h2>Changes</h2>
      <p>
        When this page changes, so does the date at its top. The <a href={paths.terms()}>terms of service</a>{" "}
        apply beside it.
      </p>
    </Reading>
  );
}

/** What we keep, and how we keep secrets. */
function Kept() {
  return (
    <>
      <h2>What we keep</h2>
      <ul>
        <li>
          <strong>Who you are:</strong> the login, name and picture of your GitHub account, and which
          installation of our app you work in. If you ask for e-mail when a project waits for you, we keep the
          address that you confirm until you turn it off. If guests are invited, we keep the logins of those
          who are allowed, and of those who tried to sign in and when, for the owner to see.
        </li>
        <li>
          <strong>Your repositories:</strong> we use only those that you choose. If you begin a project with a
          repository, we read the files of its branch and keep them as a backup. If you push a project, we
          write its files and a pull request.
        </li>
        <li>
          <strong>Your projects:</strong> their names and descriptions, your conversations with the agents,
          the plans, scripts and documents they write, the output of commands, and backups of your sandbox's
          workspace.
        </li>
        <li>
          <strong>Credits:</strong> your balance and every change of it: payments with their amount, status
          and the payment provider's reference, and the tokens that each agent used with their cost.
        </li>
        <li>
          <strong>Operation:</strong> technical logs of requests with times, request and project numbers and
          error codes. They contain no messages and no secrets. Counters that limit the rate of requests are
          kept by session or address and for a short time only.
        </li>
      </ul>

      <h2>Keys and passwords</h2>
      <p>
        We find the secrets that you type into a chat and seal them before we store the message or send it to
        a model, which sees only their names; the same holds for the credentials form. They are encrypted with
        a key management service, opened only for the run of a command that you approved, and masked in that
        command's output. Rules find secrets in free text, which cannot be perfect: prefer the form.
      </p>
    </>
  );
}

/** Who else sees it. */
function Recipients() {
  return (
    <>
      <h2>Who else sees it</h2>
      <ul>
        <li>
          <strong>The model provider</strong> that answers for an agent gets what you write to it, the
          project's documents, the names of its files, and the output of commands, with sealed secrets
          replaced by their names.
        </li>
        <li>
          <strong>People you work with:</strong> the members of your organization and the guests you allow see
          the account's projects and can export them.
        </li>
        <li>
          <strong>Anyone who has a link</strong> that you make to a project's timeline sees its documents,
          scripts, costs and the logins of those who approved, until you withdraw the link or it ends.
        </li>
        <li>
          <strong>Readers of a repository</strong> that you push to see the files, and a pull request with the
          requirements, the plan, the digests of the scripts and the logins of those who approved them.
        </li>
        <li>
          <strong>Stripe</strong> processes payments. Card numbers go to Stripe and never reach us.
        </li>
        <li>
          <strong>GitHub</strong> signs you in, and notifies us when an installation is suspended or removed,
          and when you leave an organization that has one.
        </li>
        <li>
          <strong>Amazon Web Services</strong> hosts the service, stores its data and sends its e-mail for us.
        </li>
        <li>
          <strong>Your cloud provider</strong> and other servers are reached by commands that you approved,
          and by commands of the agents that only read.
        </li>
      </ul>
      <p>Beyond these, we disclose data only where the law requires it. We sell no data.</p>
    </>
  );
}

/** What we count, and what a browser keeps. */
function InYourBrowser() {
  return (
    <>
      <h2>Visits to the public pages</h2>
      <p>
        On the landing, pricing and legal pages we count views, how far a page is scrolled (a quarter, half,
        three quarters, all of it), half minutes of presence or stillness, and visits that end within ten
        seconds. For this, the browser makes a random visitor id and keeps it in its local storage; we connect
        it neither with your account nor with your address. The counts go to our own server, which stores sums
        by day. No third party is involved.
      </p>
      <p>
        If your browser sends <em>Do Not Track</em> or <em>Global Privacy Control</em>, no id is made and
        nothing is counted. Deleting the site's data in your browser deletes the id.
      </p>

      <h2>In your browser</h2>
      <ul>
        <li>
          <strong>One cookie</strong> keeps you signed in, and another connects the two halves of a sign-in
          while it lasts. No script can read them. There are no other cookies.
        </li>
        <li>
          <strong>Session storage</strong> holds the number of your installation, and messages that you have
          typed but not sent, until you sign out or close the tab.
        </li>
        <li>
          <strong>Local storage</strong> holds the visitor id, and choices such as where you left a divider.
        </li>
      </ul>
    </>
  );
}
