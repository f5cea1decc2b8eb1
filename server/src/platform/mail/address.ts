import { domainToASCII } from 'node:url';

const longest = 254;

/** Whether mail can be sent there: one address, and nothing that a mail server could read as more. */
export const isAddress = (written: string): boolean => written.length <= longest && /^[^\s@<>"\p{Cc}]+@[^\s@<>"\p{Cc}]+$/u.test(written);

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * As it stands in an envelope: the domain in A-labels (RFC 5890), which every mail server takes. What has no such form stays, and the server refuses it.
 * @NOTE What is before the @ has none either, and only servers with SMTPUTF8 take it: the contract refuses it in new records.
 */
export const envelopeAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // Of anything but a domain it would read a part.
  const labels = !isAscii(domain) && /^[\p{L}\p{M}\p{N}_.-]+$/u.test(domain) ? domainToASCII(domain) : '';
  return labels === '' ? address : `${address.slice(0, at)}@${labels}`;
};
