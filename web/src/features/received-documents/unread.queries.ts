import { useState } from 'react';
import { useUnread, type Unread } from '#lists/useUnread.ts';
import { receivedPlan } from './received.plan.ts';
import { statementsPlan } from './statements.plan.ts';

/** What is new among the documents received, for the desk. */
export const useUnreadReceived = (): Unread | undefined => useUnread(useState(receivedPlan)[0]);

/** What is new among the statements. */
export const useUnreadStatements = (): Unread | undefined => useUnread(useState(statementsPlan)[0]);
