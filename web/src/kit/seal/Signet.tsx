/** The small scalloped mark before a window's title. */
export function Signet({ className }: { readonly className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" focusable="false">
      <path fill="currentColor" d={outline} />
    </svg>
  );
}

const count = 12;
const steps = count * 10;
const points = Array.from({ length: steps }, (_, i) => {
  const t = (i / steps) * Math.PI * 2;
  const r = 6 + 0.55 * Math.cos(count * t);
  return `${(7 + r * Math.sin(t)).toFixed(2)} ${(7 - r * Math.cos(t)).toFixed(2)}`;
});
const outline = `M${points.join('L')}Z`;
