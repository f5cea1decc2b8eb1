import { useState } from 'react';
import { useUnread, type Unread } from '#lists/useUnread.ts';
import { statementsPlan } from './statements.plan.ts';

/** What is new among the statements, for the desk. */
export const useUnreadOfStatements = (): Unread | undefined => useUnread(useState(statementsPlan)[0]);

export const useUnreadStatements = (): number => useUnreadOfStatements()?.count ?? 0;
