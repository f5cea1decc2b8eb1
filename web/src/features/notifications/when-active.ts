import { sessionLimits } from '@pergamin/contract';

const actions = ['pointerdown', 'keydown'] as const;
let lastActionMs = performance.now();
const waiting = new Set<() => void>();

/**
 * Does it now if the person did anything within the last minute, else with the next thing they do: what is asked of the server by itself must
 * not keep the session of an absent person alive (B19). The same thing waits once.
 */
export const whenActive = (act: () => void): void => {
  if (performance.now() - lastActionMs <= sessionLimits.slideWriteEveryMs) act();
  else waiting.add(act);
};

const handleAction = (): void => {
  lastActionMs = performance.now();
  const due = Array.from(waiting);
  waiting.clear();
  for (const act of due) act();
};
for (const action of actions) addEventListener(action, handleAction, { capture: true, passive: true });
