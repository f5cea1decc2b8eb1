const longest = 254;

/** Whether mail can be sent there: one address, and nothing that a mail server could read as more. */
export const isAddress = (written: string): boolean => written.length <= longest && /^[^\s@<>"\p{Cc}]+@[^\s@<>"\p{Cc}]+$/u.test(written);
