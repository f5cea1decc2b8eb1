import { useState } from 'react';
import { useUnread, type Unread } from '#lists/useUnread.ts';
import { statementsPlan } from './statements.plan.ts';

/** What is new among the statements, for the desk. */
export function useUnreadStatements(): Unread | undefined {
  const [plan] = useState(statementsPlan);
  return useUnread(plan);
}
