import { alertLimits } from '@pergamin/contract';
import { useEffect, useState } from 'react';
import { createToastQueue, Toasts } from '#kit/feedback/Toasts.tsx';
import { on } from '#platform/events.ts';

export function Alerts() {
  const [queue] = useState(createToastQueue);
  useEffect(() => on('alert', queue.add), [queue]);
  return <Toasts queue={queue} durationMs={alertLimits.vanishAfterMs} />;
}
