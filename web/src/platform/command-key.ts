/** The key that commands go with, as it is written on the keyboard of this device. */
export const commandKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';
