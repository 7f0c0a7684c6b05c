import { Reading } from "../public-site/frame";

export function Component() {
  return (
    <Reading title="Refund policy">
      <p>All payments are final and non-refundable.</p>
      <p>Credits never expire: what you do not use today stays on your balance.</p>
      <p>If a payment went wrong, write to us. We aim to reply within 5 business days.</p>
    </Reading>
  );
}
