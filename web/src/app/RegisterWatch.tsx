import { lazy, Suspense, useEffect, useState } from 'react';
import { whenIdle } from '#platform/when-idle.ts';

// Optional: without its code, or without an answer, the page goes on as it is.
const RegisterCheck = lazy(() =>
  import('#features/verification/receipts/RegisterCheck.tsx').then(
    (code) => ({ default: code.RegisterCheck }),
    () => ({ default: () => null }),
  ),
);

const atLatestMs = 10_000;

/** Compares the register with what this browser saw of it before, once everything else is there (P3). */
export function RegisterWatch() {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => whenIdle(() => setIsDue(true), atLatestMs), []);
  return isDue ? (
    <Suspense>
      <RegisterCheck />
    </Suspense>
  ) : null;
}
