export { type TrainedModel, type TrainModelOptions, trainModel } from './train-model.ts'
