/**
 * The only script of these pages. The token behind `#` of a mailed link is never sent to any server, so the page itself has to copy it into
 * its form; a change of language keeps it.
 */
export const linkScript = `'use strict';
const takeCode = () => {
  const field = document.getElementById('token');
  const code = location.hash.slice(1) || field.value;
  if (!/^[A-Za-z0-9_-]{43}$/.test(code)) return;
  field.value = code;
  document.getElementById('token-field').hidden = true;
  for (const link of document.querySelectorAll('.languages a')) link.hash = code;
  const wrong = document.querySelector('[aria-invalid]');
  (wrong ?? document.getElementById('code') ?? document.getElementById('password')).focus();
};
addEventListener('hashchange', takeCode);
takeCode();
`;
