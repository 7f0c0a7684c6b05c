import { paths } from "../lib/paths";
import { Contact, Reading } from "./frame";

export function RefundPolicy() {
  return (
    <Reading title="Refund policy" note="Last changed on November 29, 2026.">
      <p>
        <strong>All payments are final and non-refundable.</strong> We do not exchange credits back for money,
        used or unused, even if a project did not turn out as you hoped, or if an account is closed or ended.
      </p>

      <h2>How you stay in control</h2>
      <ul>
        <li>You can start with $1 and add more once you have seen the results.</li>
        <li>
          Credits never expire: unused credits stay on your balance. The balance belongs to the app's
          installation on GitHub: uninstalling the app deletes your account, and its unused credits are lost.
          You can suspend the installation to pause.
        </li>
        <li>
          You pay for the text that the agents read and write, at the rates on our{" "}
          <a href={paths.pricing()}>pricing page</a>, and, where the operator of this site charges for it, for
          the time that your sandboxes run.
        </li>
        <li>
          A project can have a budget, at which its agents stop. It does not stop a sandbox, which stops when
          it is idle or when you stop it.
        </li>
        <li>Nothing is charged automatically: there are no subscriptions and no automatic top-ups.</li>
      </ul>

      <h2>If something went wrong</h2>
      <p>
        If you were charged and the credits did not arrive within an hour, or you were charged twice for one
        payment, write to <Contact /> with the payment's id: the page after the checkout names it, and so does
        the table of transactions that you can download. We look the payment up with our payment provider and
        correct the mistake. We aim to reply within 5 business days.
      </p>
      <p>
        A payment that fails, expires or is canceled at the checkout charges nothing and adds nothing. The
        transaction history shows the outcome of each payment.
      </p>

      <h2>Disputes</h2>
      <p>
        Please write to us before you dispute a payment with your bank. When a payment is disputed or
        reversed, its credits are taken from the balance until the bank has decided, and agents stop if the
        balance is used up.
      </p>

      <h2>The law</h2>
      <p>
        Rights that the law gives you and that you cannot waive remain untouched. The{" "}
        <a href={paths.terms()}>terms of service</a> apply beside this page.
      </p>
    </Reading>
  );
}
