/** The small scalloped mark before a window's title. */
export function Signet({ className }: { readonly className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" focusable="false">
      <path fill="currentColor" d={outline} />
    </svg>
  );
}

const outline = scallops(12);

function scallops(count: number): string {
  const steps = count * 10;
  let d = '';
  for (let i = 0; i < steps; i++) {
    const t = (i / steps) * Math.PI * 2;
    const r = 6 + 0.55 * Math.cos(count * t);
    d += `${i === 0 ? 'M' : 'L'}${(7 + r * Math.sin(t)).toFixed(2)} ${(7 - r * Math.cos(t)).toFixed(2)}`;
  }
  return `${d}Z`;
}
