import { useEffect, useRef } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import type { RenderState } from './render-poll.ts';

interface ProgressTexts {
  readonly preparing: (percent: number) => string;
  readonly ready: string;
}

const quarterPercent = 25;

/** Says how far the pages are at each quarter, and that they are there if there was a wait at all. */
export function useProgressVoice({ status, progress }: RenderState, texts: ProgressTexts): void {
  const said = useRef(0);
  useEffect(() => {
    const quarter = Math.floor(progress / quarterPercent);
    if (status === 'rendering' && quarter > said.current) {
      said.current = quarter;
      announce(texts.preparing(progress));
    } else if (status === 'done' && said.current > 0) {
      said.current = 0;
      announce(texts.ready);
    }
  }, [status, progress, texts]);
}
