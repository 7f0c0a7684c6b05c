import { paths } from "../paths";
import { Contact, Reading } from "./frame";

export function RefundPolicy() {
  return (
    <Reading title="Refund policy" note="Last changed on November 20, 2026.">
      <p>
        <strong>All payments are final and non-refundable.</strong> Credits that you have bought are not
        exchanged back for money, used or unused, also when a project did not turn out as you hoped, and when
        an account is closed or ended.
      </p>

      <h2>Why that is bearable</h2>
      <ul>
        <li>You can start with $1 and add more when you have seen what it does.</li>
        <li>Credits never expire: what you do not use today stays on your balance.</li>
        <li>
          You only pay for what the agents read and write, at the rates on our{" "}
          <a href={paths.pricing()}>pricing page</a>.
        </li>
        <li>A project can have a budget, at which its agents stop.</li>
        <li>Nothing is charged by itself: there are no subscriptions and no automatic top-ups.</li>
      </ul>

      <h2>When something went wrong</h2>
      <p>
        If you were charged and the credits did not arrive within an hour, or you were charged twice for one
        payment, write to <Contact /> with the payment's id: the page after the checkout names it, and so does
        the table of transactions that you can download. We look it up with our payment provider and correct
        what is wrong. We aim to reply within 5 business days.
      </p>
      <p>
        A payment that fails, expires or is cancelled at the checkout charges nothing and adds nothing. The
        transaction history shows how each one ended.
      </p>

      <h2>Disputes</h2>
      <p>
        Please write to us before you dispute a payment with your bank. When a payment is disputed or
        reversed, the credits it added are taken from the balance until it is decided, and agents stop if that
        leaves nothing.
      </p>

      <h2>The law</h2>
      <p>
        Rights that the law gives you and that cannot be given up remain untouched. The{" "}
        <a href={paths.terms()}>terms of service</a> apply beside this page.
      </p>
    </Reading>
  );
}
