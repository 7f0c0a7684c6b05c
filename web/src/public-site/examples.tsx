import { DEPLOYMENTS } from "../lib/deployments";

export interface Example {
  deployment: string;
  minutes: number;
  cost: string;
}

export const EXAMPLES: Example[] = DEPLOYMENTS.map(({ name, minutes, cost }) => ({
  deployment: name,
  minutes,
  cost,
}));

export function ExampleTable({ examples }: { examples: Example[] }) {
  return (
    <table className="w-full text-left">
      <thead>
        <tr className="label border-line-strong border-b">
          <th className="py-2 font-[550]">Deployment</th>
          <th className="py-2 text-right font-[550]">Time</th>
          <th className="py-2 text-right font-[550]">Cost</th>
        </tr>
      </thead>
      <tbody>
        {examples.map((example) => (
          <tr key={example.deployment} className="border-line border-b">
            <td className="py-2.75">{example.deployment}</td>
            <td className="py-2.75 text-right text-ink-2">{example.minutes} min</td>
            <td className="py-2.75 text-right font-[560]">{example.cost}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
