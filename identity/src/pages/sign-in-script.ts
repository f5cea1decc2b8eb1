/**
 * Sends the password without a history entry, so that Back from the portal meets neither this page nor a browser's question about sending a
 * form again. Without it the form is sent by the browser. The answer of a right password has led to the portal's own page, which is opened in
 * place of this one.
 */
export const signInScript = `'use strict';
const show = (answer) => {
  const next = new DOMParser().parseFromString(answer, 'text/html');
  document.title = next.title;
  document.querySelector('main').replaceWith(document.adoptNode(next.querySelector('main')));
  (document.querySelector('[aria-invalid]') ?? document.querySelector('main a, main button')).focus();
};
addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('[data-in-place]')) return;
  event.preventDefault();
  if (form.dataset.sent !== undefined) return;
  form.dataset.sent = '';
  try {
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (answer.redirected) location.replace(answer.url);
    else show(await answer.text());
  } catch {
    // The browser says what is wrong with the connection.
    form.submit();
  }
});
addEventListener('click', (event) => {
  const link = event.target.closest('.languages a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  location.replace(link.href);
});
`;
