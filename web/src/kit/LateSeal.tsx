import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from '#platform/when-idle.ts';
import { Seal, type SealProps } from './Seal.tsx';
import css from './Seal.module.css';

const atLatestMs = 300;

/** A seal among a great many: its place at once, its lines when there is nothing else to do. */
export function LateSeal({ sha256, size }: Pick<SealProps, 'sha256' | 'size'>) {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setDrawn(true)), atLatestMs), []);
  if (drawn) return <Seal sha256={sha256} size={size} />;
  return <span className={css['seal']} style={{ width: size, height: size }} aria-hidden="true" />;
}
