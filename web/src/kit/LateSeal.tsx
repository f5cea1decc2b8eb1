import { memo, startTransition, useEffect, useState } from 'react';
import { whenIdle } from '#platform/when-idle.ts';
import { classes } from './classes.ts';
import { sealPicture, type SealProps } from './Seal.tsx';
import css from './Seal.module.css';

const atLatestMs = 300;

interface LateSealProps extends Pick<SealProps, 'sha256' | 'size'> {
  readonly className: string | undefined;
}

/** A seal among a great many: its place at once, its lines when there is nothing else to do. */
export const LateSeal = memo(function LateSeal(props: LateSealProps) {
  const { size, className } = props;
  const [drawn, setDrawn] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setDrawn(true)), atLatestMs), []);
  if (drawn) return sealPicture(props);
  return <span className={classes(css['seal'], className)} style={{ width: size, height: size }} aria-hidden="true" />;
});
