import { useEffect, useState } from 'react';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import { whenIdle } from '#platform/when-idle.ts';

const RegisterCheck = onDemand(async () => (await import('#features/verification/receipts/RegisterCheck.tsx')).RegisterCheck);

const atLatestMs = 10_000;

/** Compares the register with what this browser saw of it before, once everything else is there (P3). */
export function RegisterWatch() {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => whenIdle(() => setIsDue(true), atLatestMs), []);
  return isDue ? (
    <LoadBoundary>
      <RegisterCheck.Component />
    </LoadBoundary>
  ) : null;
}
