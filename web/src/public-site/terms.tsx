import { paths } from "../lib/paths";
import { Contact, Reading } from "./frame";

export function Terms() {
  return (
    <Reading
      title="Terms of service"
      note="Last changed on November 29, 2026. Groundcrew is a research preview."
    >
      <p>
        These terms are an agreement between you and Groundcrew ("we", "us"). By signing in or paying you
        accept them. If you do not, do not use the service. If you use it for an organization, you confirm
        that you may accept them on its behalf; "you" then means that organization.
      </p>

      <h2>1. Who may use it</h2>
      <p>
        You must be at least 18 years old and able to enter into a contract. You need a GitHub account and an
        installation of our app there. You are responsible for everything that happens in an installation that
        you own or administer, including the actions of people to whom you gave access.
      </p>

      <h2>2. What the service does</h2>
      <p>
        AI agents gather requirements, write plans, infrastructure code and scripts, and run them in your
        project's own sandbox after you approve each command that changes something. You can read such a
        command before it runs, reject it, or switch on automatic approval. Everything that you approve,
        yourself or automatically, counts as your own action. Commands that only read may run without an
        approval: those of the DevOps Helper, also on your servers; those that an agent runs while it prepares
        a step; and steps, if you choose to be asked only about changes.
      </p>
      <p>
        The service is a research preview. It may change, be interrupted or end, and it may contain errors.
        The agents' work can be wrong, unsafe or unsuitable for your purpose. Check it before you approve it
        and before you rely on it.
      </p>

      <Use />
      <Payment />
      <Liability />
      <Ending />
    </Reading>
  );
}

/** What is whose, and what is not allowed. */
function Use() {
  return (
    <>
      <h2>3. Your accounts, servers and data</h2>
      <p>
        You decide which credentials you enter and what they allow. You are responsible for the cloud
        accounts, servers and data that you use with the service, for keeping copies of important data, and
        for all charges of your cloud provider. Those charges are not part of our prices.
      </p>
      <p>
        Your texts, and the code, configuration and documentation made for you, are yours to use as you like.
        You allow us to process them as far as the service requires. How we handle them is described in our{" "}
        <a href={paths.privacy()}>privacy policy</a>.
      </p>

      <h2>4. What you may not do</h2>
      <ul>
        <li>Break the law with it, or attack, scan or enter systems that you have no permission for.</li>
        <li>Mine cryptocurrency, send spam, or host malware or content that is illegal.</li>
        <li>Break out of a sandbox, get around limits or payment, or disturb the service for others.</li>
        <li>Resell access to it, or share an account with people who have not accepted these terms.</li>
      </ul>
      <p>
        We may suspend or end an account that does any of this, or that puts the service or others at risk.
      </p>
    </>
  );
}

/** What it costs. */
function Payment() {
  return (
    <>
      <h2>5. Credits and payment</h2>
      <p>
        Usage is paid from a prepaid balance. 1 credit is $1 USD. You can add between $1 and $10,000 at a
        time; payments are processed by Stripe. Costs are deducted in real time, at the rates on our{" "}
        <a href={paths.pricing()}>pricing page</a>: during the research preview $5 per million input tokens
        and $20 per million output tokens; the regular rate is $30 per million tokens. Where the operator of
        this site charges for it, the running time of sandboxes is deducted as well; a project's budget does
        not limit it. We may change rates for the future; past usage does not change.
      </p>
      <p>
        Credits never expire. They cannot be exchanged for money or transferred. All payments are final and
        non-refundable; see our <a href={paths.refundPolicy()}>refund policy</a>. When a payment is reversed
        or disputed, the credits it added are taken back. When your balance is used up, agents stop until you
        add more.
      </p>
    </>
  );
}

/** What we answer for. */
function Liability() {
  return (
    <>
      <h2>6. No warranty</h2>
      <p>
        The service is provided "as is" and "as available", without warranty of any kind, express or implied,
        including fitness for a purpose, merchantability and non-infringement.
      </p>

      <h2>7. Liability</h2>
      <p>
        To the fullest extent that the law allows, our liability to you is zero: we are not liable for any
        damage that comes from using the service or from not being able to, whether direct, indirect,
        incidental or consequential, including lost data, lost profit, interrupted business and charges of
        third parties, on any legal ground and even if we were advised of the possibility. You will hold us
        harmless from claims of others that arise from your use of the service.
      </p>
    </>
  );
}

/** How it ends or changes, and whom to ask. */
function Ending() {
  return (
    <>
      <h2>8. Ending</h2>
      <p>
        You can stop at any time.{" "}
        <strong>Uninstalling the app on GitHub deletes your account at once:</strong> all projects with their
        documents, credentials and backups, including the Terraform states of servers that still run, and you
        lose your unused credits. Installing it again does not bring them back. To pause, suspend the
        installation on GitHub instead: your sessions end, and everything else is kept. To change which
        repositories the app may use, change its settings on GitHub.
      </p>
      <p>
        We can end the service, or your use of it, with reasonable notice, or without notice if you have
        broken these terms. Sections 3 and 5 to 9 remain in force afterward.
      </p>

      <h2>9. Law and changes</h2>
      <p>
        These terms are governed by the laws of the State of Delaware, without its rules on conflicts of laws.
        If a part of them is invalid, the rest remains valid. We may change them; the date at the top says
        when. By continuing to use the service you accept the change.
      </p>

      <h2>10. Support</h2>
      <p>
        Write to <Contact />. We aim to reply within 5 business days.
      </p>
    </>
  );
}
