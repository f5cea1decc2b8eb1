import { startTransition, useEffect, useState } from 'react';
import { Seal, type SealProps } from './Seal.tsx';
import css from './Seal.module.css';

const atLatestMs = 300;

/** A seal among a great many: its place at once, its lines when there is nothing else to do. */
export function LateSeal({ sha256, size }: Pick<SealProps, 'sha256' | 'size'>) {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    const draw = () => startTransition(() => setDrawn(true));
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(draw, atLatestMs);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(draw, { timeout: atLatestMs });
    return () => cancelIdleCallback(handle);
  }, []);
  if (drawn) return <Seal sha256={sha256} size={size} />;
  return <span className={css['seal']} style={{ width: size, height: size }} aria-hidden="true" />;
}
