export interface Example {
  deployment: string;
  minutes: number;
  cost: string;
}

export const EXAMPLES: Example[] = [
  { deployment: "Basic VPS", minutes: 14, cost: "$2.00" },
  { deployment: "VPS with MySQL", minutes: 25, cost: "$4.00" },
  { deployment: "VPS with PostgreSQL", minutes: 32, cost: "$4.50" },
  { deployment: "ELK", minutes: 40, cost: "$7.00" },
  { deployment: "EC2 with SSH", minutes: 16, cost: "$3.60" },
  { deployment: "Monitoring stack", minutes: 24, cost: "$4.00" },
];

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
