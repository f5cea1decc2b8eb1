import { domainToASCII } from 'node:url';

const longest = 254;

/** Whether mail can be sent there: one address, and nothing that a mail server could read as more. */
export const isAddress = (written: string): boolean => written.length <= longest && /^[^\s@<>"\p{Cc}]+@[^\s@<>"\p{Cc}]+$/u.test(written);

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * As it stands in an envelope: the domain in A-labels (RFC 5890), which every mail server takes. Undefined when the domain has no such form.
 * @NOTE What is before the @ has none either. It stays, and only servers with SMTPUTF8 take it: the contract refuses it in new records.
 */
export const envelopeAddress = (address: string): string | undefined => {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (isAscii(domain)) return address;
  // Of anything but a domain it would read a part.
  const labels = /^[\p{L}\p{M}\p{N}_.-]+$/u.test(domain) ? domainToASCII(domain) : '';
  return labels === '' ? undefined : `${address.slice(0, at)}@${labels}`;
};
