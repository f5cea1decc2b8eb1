import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { Boundary } from './Boundary.tsx';

interface LoadBoundaryProps {
  /** The customer asked for the part: an alert says that it did not come, and this closes it. Without it nothing is said. */
  readonly onFailed?: () => void;
  readonly children: ReactNode;
}

/** A part of the page whose code is fetched when it is needed: nothing is shown until it comes, and the page goes on when it does not. */
export function LoadBoundary({ onFailed, children }: LoadBoundaryProps) {
  const failure = onFailed !== undefined && <Failure onFailed={onFailed} />;
  return (
    <Boundary fallback={() => failure}>
      <Suspense>{children}</Suspense>
    </Boundary>
  );
}

function Failure({ onFailed }: Required<Pick<LoadBoundaryProps, 'onFailed'>>) {
  const tell = useEffectEvent(() => {
    emit('alert', { tone: 'error', title: t('error.partFailed') });
    onFailed();
  });
  useEffect(() => tell(), []);
  return null;
}
