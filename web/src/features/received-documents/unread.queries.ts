import { useState } from 'react';
import { useUnread, type Unread } from '#lists/useUnread.ts';
import { receivedPlan } from './received.plan.ts';

/** What is new among the documents received, for the desk. */
export function useUnreadReceived(): Unread | undefined {
  const [plan] = useState(receivedPlan);
  return useUnread(plan);
}
