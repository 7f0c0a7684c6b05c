import { Reading } from "../public-site/frame";

export function Component() {
  return (
    <Reading title="Terms" note="Groundcrew is a research preview.">
      <h2>Who may use it</h2>
      <p>You must be at least 18 years old and able to enter into a contract.</p>
      <h2>What it does</h2>
      <p>
        Agents plan and write infrastructure code and run it in a sandbox after you approve each command. You
        decide what is run, and you are responsible for the accounts, servers and data you point it at and for
        what your cloud provider charges.
      </p>
      <h2>Credits and payment</h2>
      <p>
        Usage is paid from a prepaid balance. 1 credit is $1 USD and credits never expire. All payments are
        final and non-refundable.
      </p>
      <h2>Liability</h2>
      <p>
        The service is provided as it is, without warranty of any kind. To the extent the law allows, our
        liability is zero.
      </p>
      <h2>Law</h2>
      <p>These terms are governed by the law of Delaware.</p>
      <h2>Support</h2>
      <p>We aim to reply within 5 business days.</p>
    </Reading>
  );
}
