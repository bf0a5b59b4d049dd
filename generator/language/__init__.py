"""Rules as text: a reader, a writer and a splicer, made of the forms that the types of effects carry."""
