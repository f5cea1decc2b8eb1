import { listSignInOptions, pathOf, returnFromService, type SignInOption } from '@pergamin/contract';
import { useEffect, useState } from 'react';
import { call } from '#platform/api.ts';
import { currentLanguage } from '#platform/language.ts';
import { takeLastError } from '#platform/last-error.ts';
import { newVerifier, stateFor } from './sign-in-state.ts';

/** The further ways to sign in (B5); none while they are loading or failed: the personal id always works. */
export function useSignInOptions(): readonly SignInOption[] {
  const [options, setOptions] = useState<readonly SignInOption[]>([]);
  // What failed unseen is no news for the next page either.
  useEffect(() => void call(listSignInOptions, {}).then(setOptions, () => void takeLastError()), []);
  return options;
}

/** The address that starts the sign-in at a service of its own (A12, B5). */
export const serviceAddress = async (serviceId: string): Promise<string> => {
  const state = await stateFor(newVerifier());
  return pathOf(returnFromService, { params: { serviceId }, query: { state, lang: currentLanguage() } });
};
