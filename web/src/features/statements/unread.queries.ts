import { useState } from 'react';
import { useUnread } from '#lists/useUnread.ts';
import { statementsPlan } from './statements.plan.ts';

/** How many statements are new, for the desk. */
export const useUnreadStatements = (): number => useUnread(useState(statementsPlan)[0])?.count ?? 0;
