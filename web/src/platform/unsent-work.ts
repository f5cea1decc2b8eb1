/** Answers whether what is not done yet may be lost. It may take its time: it asks the customer. */
type Question = () => boolean | Promise<boolean>;

const questions = new Set<Question>();

/** Has `question` asked before the customer logs out or the page is loaded anew in another language, until the returned function is called. */
export const askBeforeLeaving = (question: Question): (() => void) => {
  questions.add(question);
  return () => questions.delete(question);
};

export const isAnythingAsked = (): boolean => questions.size > 0;

/** Whether everybody who has something to lose lets the page go. Asked one after another; the first refusal is the answer. */
export const mayLeave = async (): Promise<boolean> => {
  for (const question of Array.from(questions)) if (!(await question())) return false;
  return true;
};
